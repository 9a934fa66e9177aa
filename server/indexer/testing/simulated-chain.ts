import { keccak256 } from '../../kernel/keccak.ts'
import { addToBloom, emptyBloom } from '../evm/verify/bloom.ts'
import { headerHash } from '../evm/verify/header.ts'
import { encodeReceipts, encodeTransactions, encodeWithdrawals } from '../evm/verify/roots.ts'
import { indexedTrieRoot, toHex } from '../evm/verify/trie.ts'
import {
  deliveredLog,
  messenger,
  sentLog,
  teleporterPayload,
  weightPayload,
} from '../../testing/message-logs.ts'
import {
  depositTopic,
  rangeTopic,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
  withdrawalTopic,
} from '../../store/evm/transfer-logs.ts'
import { Random } from './random.ts'

export type Json = Record<string, unknown>
export type SimulatedBlock = {
  readonly block: Json
  readonly receipts: readonly Json[]
  readonly traces: readonly Json[]
}

export type Log = { address: string; topics: readonly string[]; data: string }
type Draft = {
  to: string | null
  input: string
  logs: Log[]
  calls: Json[]
  created: string | null
  succeeded: boolean
  gas: number
}

const hour = 3_600
const zero = `0x${'0'.repeat(40)}`
const hex = (value: number | bigint): string => `0x${value.toString(16)}`
/** A contract that logs deposits, but no transfers: it is not a token. */
const pool = `0x${'d0'.repeat(20)}`
const asTopic = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`
const word = (value: number | bigint): string => value.toString(16).padStart(64, '0')

/**
 * An in-memory chain with everything that metrics depend on: plain and token transfers, malformed transfers,
 * successful and failed creations, blocks with equal timestamps, days without activity. Its hashes and roots
 * are valid. The same seed gives the same chain.
 */
export class SimulatedChain {
  readonly id: number
  readonly #random: Random
  readonly #people: string[]
  readonly #tokens: string[]
  readonly #list: SimulatedBlock[] = []
  readonly #asyncFrom: number
  readonly #withdraws: boolean
  #forks = 0

  /**
   * From `asyncFrom` on, blocks are accepted before they are executed and settled by later ones (ACP-194).
   * With `withdraws`, blocks credit validators (EIP-4895).
   */
  constructor(
    seed: number,
    options: { id?: number; genesisTs?: number; asyncFrom?: number; withdraws?: boolean } = {},
  ) {
    this.id = options.id ?? 43113
    this.#withdraws = options.withdraws ?? false
    this.#asyncFrom = options.asyncFrom ?? Infinity
    this.#random = new Random(seed)
    this.#people = Array.from({ length: 24 }, () => this.#random.bytes(20))
    this.#tokens = Array.from({ length: 3 }, () => this.#random.bytes(20))
    this.#list.push(this.#seal(0, options.genesisTs ?? 1_700_000_000, []))
  }

  get height(): number {
    return this.#list.length - 1
  }

  at(number: number): SimulatedBlock | undefined {
    return this.#list[number]
  }

  /** The hash of a block. */
  hash(number: number): string {
    return String(this.#list[number]?.block['hash'])
  }

  /** Adds blocks on top. */
  mine(count: number): void {
    for (let index = 0; index < count; index += 1) {
      const last = Number(this.#list.at(-1)?.block['timestamp'])
      const drafts = this.#random.chance(0.15)
        ? []
        : Array.from({ length: this.#random.between(1, 4) }, () => this.#draft())
      this.#list.push(this.#seal(this.height + 1, last + this.#gap(), drafts))
    }
  }

  /** Replaces the last `depth` blocks with `length` others. */
  reorg(depth: number, length: number): void {
    this.#list.length -= depth
    this.#forks += 1
    this.mine(length)
  }

  /** Mines one block with the given logs and input, for data that a contract may choose. */
  mineWith(logs: readonly Log[], input: string): void {
    const last = Number(this.#list.at(-1)?.block['timestamp'])
    const draft: Draft = {
      ...this.#plain(),
      to: this.#random.pick(this.#tokens),
      input,
      logs: [...logs],
      gas: 90_000,
    }
    this.#list.push(this.#seal(this.height + 1, last + 2, [draft]))
  }

  /**
   * Mines one block with a token transfer by a transaction of a type that this version does not know: its hash and the
   * header's roots are those of an encoding of its own. Of what the header commits to, only the bloom can be recomputed.
   */
  mineOfType(type: string): void {
    const token = this.#random.pick(this.#tokens)
    const transfer = [transferTopic, asTopic(this.#person()), asTopic(this.#person())]
    this.mineWith([{ address: token, topics: transfer, data: `0x${word(5)}` }], '0x01')
    const mined = this.#list.pop()
    if (!mined) throw new Error('nothing was mined')
    const txHash = this.#random.bytes(32)
    const header = {
      ...mined.block,
      transactionsRoot: this.#random.bytes(32),
      receiptsRoot: this.#random.bytes(32),
    }
    const blockHash = headerHash(header)
    const transactions = (mined.block['transactions'] as Json[]).map((transaction) => ({
      ...transaction,
      type,
      hash: txHash,
      blockHash,
    }))
    this.#list.push({
      block: { ...header, hash: blockHash, transactions },
      receipts: mined.receipts.map((receipt) => ({ ...receipt, type, transactionHash: txHash, blockHash })),
      traces: mined.traces.map((trace) => ({ ...trace, txHash })),
    })
  }

  /**
   * Adds empty blocks like Hardhat's `hardhat_mine`: they name no parent and have the hash of nothing as
   * transactions root.
   */
  reserve(count: number): void {
    for (let index = 0; index < count; index += 1) {
      const last = Number(this.#list.at(-1)?.block['timestamp'])
      const { block } = this.#seal(this.height + 1, last + 1, [])
      const header = {
        ...block,
        parentHash: `0x${'0'.repeat(64)}`,
        transactionsRoot: toHex(keccak256(new Uint8Array())),
      }
      this.#list.push({ block: { ...header, hash: headerHash(header) }, receipts: [], traces: [] })
    }
  }

  /** Adds a block without receipts that settles all earlier blocks. */
  settle(): void {
    const last = Number(this.#list.at(-1)?.block['timestamp'])
    this.#list.push(this.#seal(this.height + 1, last + 1, [], this.height))
  }

  #gap(): number {
    const random = this.#random
    if (random.chance(0.15)) return 0
    if (random.chance(0.7)) return random.between(1, 900)
    return random.chance(0.8) ? random.between(hour, 20 * hour) : random.between(30 * hour, 200 * hour)
  }

  #person(): string {
    if (this.#random.chance(0.05)) this.#people.push(this.#random.bytes(20))
    return this.#random.pick(this.#people)
  }

  #plain(): Draft {
    return {
      to: this.#person(),
      input: '0x',
      logs: [],
      calls: [],
      created: null,
      succeeded: true,
      gas: 21_000,
    }
  }

  #draft(): Draft {
    const random = this.#random
    const kind = random.between(0, 9)
    if (kind < 3) return this.#plain()
    if (kind === 3) return this.#creation()
    if (kind === 4) return this.#factoryCall()
    const logs = Array.from({ length: random.between(1, 3) }, () => this.#log())
    return {
      ...this.#plain(),
      to: random.pick(this.#tokens),
      input: random.bytes(36),
      logs,
      gas: random.between(30_000, 90_000),
    }
  }

  #creation(): Draft {
    const succeeded = this.#random.chance(0.8)
    return {
      ...this.#plain(),
      to: null,
      input: this.#random.bytes(40),
      created: this.#random.bytes(20),
      succeeded,
      gas: 200_000,
    }
  }

  /** A call that creates contracts, some of which do not last. */
  #factoryCall(): Draft {
    const random = this.#random
    const factory = random.pick(this.#tokens)
    const create = (error?: string): Json => ({
      type: random.pick(['CREATE', 'CREATE2']),
      from: factory,
      to: random.bytes(20),
      value: '0x0',
      gas: '0x5208',
      gasUsed: '0x100',
      input: random.bytes(12),
      ...(error !== undefined && { error }),
    })
    const call = (calls: Json[], error?: string): Json => ({
      type: 'CALL',
      from: factory,
      to: factory,
      value: '0x1',
      gas: '0x9999',
      gasUsed: '0x999',
      input: random.bytes(8),
      calls,
      ...(error !== undefined && { error, revertReason: 'no\0\uD800 way' }),
    })
    const calls = [create(), call([create()], 'execution reverted'), call([create(), create('out of gas')])]
    return {
      ...this.#plain(),
      to: factory,
      input: random.bytes(4),
      calls,
      succeeded: random.chance(0.85),
      gas: 300_000,
    }
  }

  #log(): Log {
    const random = this.#random
    const address = random.pick(this.#tokens)
    const from = random.chance(0.2) ? zero : this.#person()
    const to = random.chance(0.1) ? zero : random.chance(0.1) ? from : this.#person()
    const pair = [asTopic(from), asTopic(to)]
    const operator = asTopic(this.#person())
    switch (random.between(0, 8)) {
      case 0:
        return this.#nft(address, pair)
      case 1:
        return {
          address,
          topics: [transferSingleTopic, operator, ...pair],
          data: `0x${word(this.#tokenId())}${word(random.between(0, 9))}`,
        }
      case 2:
        return { address, topics: [transferBatchTopic, operator, ...pair], data: this.#batch() }
      case 3:
        return { address, topics: [], data: random.bytes(5) }
      case 4:
        return random.pick([
          { address, topics: [transferTopic, ...pair], data: '0x' },
          { address, topics: [transferTopic, random.bytes(32), random.bytes(32)], data: `0x${word(1)}` },
          { address, topics: [transferBatchTopic, operator, ...pair], data: `0x${word(64)}${word(2 ** 31)}` },
        ])
      case 5:
        return this.#message(from)
      case 6:
        return this.#wrap()
      default:
        return { address, topics: [transferTopic, ...pair], data: `0x${word(this.#amount())}` }
    }
  }

  /** A transfer of an ERC-721 token, or of a range of them: of one, of several, of all, and one that ends too early. */
  #nft(address: string, pair: readonly string[]): Log {
    const id = this.#tokenId()
    const last = new Map<number | bigint, number | bigint>([
      [0, 2n ** 256n - 1n],
      [2, 2],
      [3, 9],
      [4, 3],
    ]).get(id)
    if (last === undefined) return { address, topics: [transferTopic, ...pair, `0x${word(id)}`], data: '0x' }
    return { address, topics: [rangeTopic, `0x${word(id)}`, ...pair], data: `0x${word(last)}` }
  }

  /** A deposit or a withdrawal, of a token or of a contract that never logs a transfer; some of a wrong shape. */
  #wrap(): Log {
    const random = this.#random
    const account = asTopic(random.chance(0.05) ? zero : this.#person())
    return {
      address: random.chance(0.2) ? pool : random.pick(this.#tokens),
      topics: [
        random.pick([depositTopic, withdrawalTopic]),
        account,
        ...(random.chance(0.05) ? [account] : []),
      ],
      data: random.chance(0.05) ? '0x' : `0x${word(this.#amount())}`,
    }
  }

  /** A cross-chain message that was sent or accepted, to and from a few chains. */
  #message(sender: string): Log {
    const random = this.#random
    const other = Buffer.alloc(32, random.between(1, 3))
    return random.pick([
      deliveredLog(other),
      sentLog(Buffer.alloc(32, 7), messenger, teleporterPayload(other, 'Ahoy')),
      sentLog(Buffer.alloc(32, 7), sender, weightPayload(BigInt(random.between(0, 9)))),
      sentLog(Buffer.alloc(32, 7), sender, other),
    ])
  }

  /** A small range, so that ids repeat; sometimes the highest possible id. */
  #tokenId(): number | bigint {
    return this.#random.chance(0.1) ? 2n ** 256n - 1n : this.#random.between(0, 5)
  }

  #amount(): number | bigint {
    const random = this.#random
    if (random.chance(0.1)) return 0
    return random.chance(0.05) ? 2n ** 256n - 1n : random.between(1, 1_000_000)
  }

  /** The data of a batch, which may be empty, contain an id twice, or move zero of an id. */
  #batch(): string {
    const random = this.#random
    const items = Array.from({ length: random.between(0, 4) }, () => [this.#tokenId(), random.between(0, 6)])
    const listed = (place: 0 | 1) => items.map((item) => word(item[place] ?? 0)).join('')
    const length = word(items.length)
    return `0x${word(64)}${word(96 + 32 * items.length)}${length}${listed(0)}${length}${listed(1)}`
  }

  #seal(number: number, ts: number, drafts: readonly Draft[], settles?: number): SimulatedBlock {
    const bloom = emptyBloom()
    let gas = 0
    let logIndex = 0
    const transactions = drafts.map((draft, index): Json => {
      const price = this.#random.between(1_000_000_000, 2_000_000_000)
      const transaction: Json = {
        type: '0x0',
        nonce: hex(number * 100 + index),
        gasPrice: hex(price),
        gas: hex(draft.gas),
        from: this.#person(),
        to: draft.to,
        value: hex(this.#random.chance(0.02) ? 2n ** 256n - 1n : BigInt(this.#random.between(0, 1_000_000))),
        input: draft.input,
        v: '0x1b',
        r: this.#random.bytes(32).replace(/^0x00/, '0x01'),
        s: this.#random.bytes(32).replace(/^0x00/, '0x01'),
        blockNumber: hex(number),
        transactionIndex: hex(index),
      }
      const [bytes] = encodeTransactions([transaction]) ?? []
      if (!bytes) throw new Error('a simulated transaction has a type that is not encoded')
      return { ...transaction, hash: toHex(keccak256(bytes)) }
    })
    const receipts = drafts.map((draft, index): Json => {
      gas += draft.gas
      const own = emptyBloom()
      const logs = draft.succeeded ? draft.logs : []
      for (const log of logs)
        for (const item of [log.address, ...log.topics])
          [own, bloom].forEach((each) => addToBloom(each, item))
      return {
        type: '0x0',
        status: draft.succeeded ? '0x1' : '0x0',
        cumulativeGasUsed: hex(gas),
        gasUsed: hex(draft.gas),
        effectiveGasPrice: transactions[index]?.['gasPrice'],
        contractAddress: draft.created,
        transactionHash: transactions[index]?.['hash'],
        transactionIndex: hex(index),
        logsBloom: toHex(own),
        logs: logs.map((log) => ({ ...log, logIndex: hex(logIndex++) })),
      }
    })
    const header: Json = {
      number: hex(number),
      parentHash: number === 0 ? `0x${'0'.repeat(64)}` : this.hash(number - 1),
      sha3Uncles: `0x${'1'.repeat(64)}`,
      miner: this.#people[0],
      stateRoot: this.#random.bytes(32),
      transactionsRoot: indexedTrieRoot(encodeTransactions(transactions) ?? []),
      receiptsRoot: indexedTrieRoot(encodeReceipts(receipts) ?? []),
      logsBloom: toHex(bloom),
      difficulty: '0x0',
      gasLimit: '0x1c9c380',
      gasUsed: hex(gas),
      timestamp: hex(ts),
      extraData: `0x${word(this.#forks)}`,
      mixHash: `0x${'0'.repeat(64)}`,
      nonce: '0x0000000000000000',
      baseFeePerGas: '0x3b9aca00',
      size: '0x400',
      ...(number >= this.#asyncFrom && this.#settlement(number, gas, settles)),
      ...(this.#withdraws && this.#withdrawals(number)),
    }
    const hash = headerHash(header)
    const within = (items: Json[]) => items.map((item) => ({ ...item, blockHash: hash }))
    return {
      block: { ...header, hash, transactions: within(transactions) },
      receipts: within(receipts),
      traces: drafts.map((draft, index) => ({
        txHash: transactions[index]?.['hash'],
        result: frameOf(draft, transactions[index]),
      })),
    }
  }

  #withdrawals(number: number): Json {
    const withdrawals = Array.from({ length: this.#random.between(0, 3) }, (_, at): Json => ({
      index: hex(4 * number + at),
      validatorIndex: hex(this.#random.between(0, 500_000)),
      address: this.#person(),
      amount: hex(this.#random.between(0, 20_000_000)),
    }))
    return { withdrawals, withdrawalsRoot: indexedTrieRoot(encodeWithdrawals(withdrawals)) }
  }

  /** Fields of an asynchronous block's header: the settled height, and more gas than was used. */
  #settlement(number: number, gas: number, given?: number): Json {
    const parent = this.#list[number - 1]?.block
    const before = Number(parent?.['settledHeight'] ?? number - 1)
    const height = given ?? Math.max(before, number - 1 - this.#random.between(0, 5))
    const receipts = this.#list.slice(before + 1, height + 1).flatMap((block) => block.receipts)
    const bloom = emptyBloom()
    for (const receipt of receipts)
      for (const log of receipt['logs'] as Log[])
        for (const item of [log.address, ...log.topics]) addToBloom(bloom, item)
    return {
      ...asyncFields,
      settledHeight: hex(height),
      receiptsRoot: indexedTrieRoot(encodeReceipts(receipts) ?? []),
      logsBloom: toHex(bloom),
      gasUsed: hex(2 * gas),
    }
  }
}

/** The additional header fields of the C-Chain since ACP-194. */
const asyncFields: Json = {
  extDataHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  extDataGasUsed: '0x0',
  blockGasCost: '0x0',
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: `0x${'0'.repeat(64)}`,
  timestampMilliseconds: '0x1',
  minDelayExcess: '0x1',
  targetExponent: '0x0',
  minPriceExponent: '0x0',
  settledGasUnix: '0x1',
  settledGasNumerator: '0x1',
  settledExcess: '0x0',
}

function frameOf(draft: Draft, transaction: Json | undefined): Json {
  return {
    type: draft.to === null ? 'CREATE' : 'CALL',
    from: transaction?.['from'],
    to: draft.to ?? draft.created,
    value: transaction?.['value'],
    gas: hex(draft.gas),
    gasUsed: hex(draft.gas),
    input: draft.input,
    ...(draft.calls.length > 0 && { calls: callsOf(draft) }),
    ...(!draft.succeeded && failureOf(draft)),
  }
}

/** How the transaction's own call fails: with data that are short, empty, or longer than what is stored. */
function failureOf({ input }: Draft): Json {
  const size = [1, 0, 400][Number(`0x${input.slice(-2) || '0'}`) % 3] ?? 0
  return { error: 'execution reverted', ...(size > 0 && { output: `0x${input.slice(2).repeat(size)}` }) }
}

/** The calls inside. The last one of a transaction that fails fails alike, or for a reason of its own. */
function callsOf(draft: Draft): readonly Json[] {
  const last = draft.calls.at(-1)
  if (draft.succeeded || !last) return draft.calls
  const isCaught = draft.input.startsWith('0x0')
  return [
    ...draft.calls.slice(0, -1),
    { ...last, ...(isCaught ? { error: 'execution reverted', output: '0xca' } : failureOf(draft)) },
  ]
}
