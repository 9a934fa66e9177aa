import type { Hex } from 'viem'
import { setImmediate } from 'node:timers/promises'
import { type Accounts, createAccounts } from './anvil/accounts.ts'
import { accountsOf } from './chains.ts'
import type { EvmChain, EvmChainOptions, Head } from './evm-chain.ts'
import type { GeneratedBlock, Generator } from './generator.ts'
import { createForeignTransactions, readContent } from './anvil/foreign.ts'
import { startNodeProcess } from './anvil/node-process.ts'
import type { BlockOrder, BlockToMake } from './order.ts'
import { generatedCalls, sendBlock } from './sending.ts'
import type { AccountChange } from '../primary/ledger.ts'
import { settleAccounts } from './anvil/settle.ts'
import { isHex, lower } from '../kernel/hex.ts'
import { RpcError } from './anvil/rpc.ts'
import { firstState, type GeneratorState } from './state.ts'
import type { JournalEntry } from './store.ts'

const remembered = 600
const saveEvery = 1000

/** The chain's part in messages to other chains. */
type Messaging = {
  builtIns(): Promise<void>
  /** The payloads for blocks of the history, by index in `times`. */
  messagesAt(times: readonly number[]): Promise<ReadonlyMap<number, readonly Hex[]>>
}

/** The signed transactions of a block: all of them, and those that users sent. */
type Content = {
  readonly all: readonly Hex[]
  readonly foreign: readonly Hex[]
}

type BlockFields = {
  readonly number: Hex
  readonly hash: Hex
  readonly timestamp: Hex
  readonly transactions: readonly Hex[]
}

/** Starts the chain's node and reads its state. */
export async function startEvmChain(options: EvmChainOptions): Promise<EvmChain> {
  const { plan, timeline, seed, store, saved } = options
  const starting = startNodeProcess({
    chainId: plan.evmChainId,
    accounts: accountsOf(plan),
    mnemonicSeed: seed,
    genesisTime: timeline.start,
    cache: store.cache,
    onSpawn: options.onSpawn,
    ...(options.keptStates === undefined ? {} : { keptStates: options.keptStates }),
    ...(saved === undefined ? {} : { load: saved.load }),
  })
  // The encoders take as long to load as the node takes to start, so both run in parallel.
  const loading = Promise.all([import('./generator.ts'), import('./courier.ts'), import('./warp.ts')])
  const node = await starting
  const { rpc } = node
  try {
    const [{ createGenerator }, { messagesByBlock }, { placeBuiltIns }] = await loading
    const addresses = ((await rpc.call('eth_accounts')) as readonly Hex[]).filter(isHex)
    const first = await readHead()
    if (saved !== undefined && first.hash !== saved.save.hash) {
      throw new Error(`the saved state holds block ${first.hash}, not ${saved.save.hash}`)
    }
    const builtIns = (): Promise<void> => placeBuiltIns(rpc, plan)
    if (saved === undefined) await builtIns()
    return createChain(
      createGenerator(plan, timeline, addresses, seed),
      createAccounts(rpc, addresses),
      first,
      {
        builtIns,
        async messagesAt(times) {
          const messages = (await options.messages?.()) ?? []
          return messagesByBlock(plan, timeline, times, messages)
        },
      },
    )
  } catch (error) {
    await node.stop()
    throw error
  }

  async function readBlock(): Promise<BlockFields> {
    return (await rpc.call('eth_getBlockByNumber', 'latest', false)) as BlockFields
  }

  async function readHead(): Promise<Head> {
    return headOf(await readBlock())
  }

  function createChain(
    generator: Generator,
    accounts: Accounts,
    first: Head,
    { builtIns, messagesAt }: Messaging,
  ): EvmChain {
    let head = first
    let state: GeneratorState = saved?.save.state ?? firstState(plan)
    let savedNumber = saved?.save.number ?? -1
    /** Whether the node has made no block since it loaded its state. */
    let isFresh = saved !== undefined
    let queue: Promise<unknown> = Promise.resolve()
    /** The generator's state after each recent block, for rollbacks. */
    const states = new Map<number, GeneratorState>([[head.number, state]])
    const blocks = new Map<number, BlockToMake>()
    const foreign = createForeignTransactions(rpc)
    let isOpen = false

    function exclusive<T>(work: () => Promise<T>): Promise<T> {
      const result = queue.then(work)
      queue = result.catch(() => undefined)
      return result
    }

    function remember(number: number, block?: BlockToMake): void {
      states.set(number, state)
      states.delete(number - remembered)
      if (block !== undefined) blocks.set(number, block)
      blocks.delete(number - remembered)
    }

    async function settle(time: number): Promise<readonly AccountChange[]> {
      const block = { height: head.number + 1, since: head.time, time }
      const changes = (await options.settle?.(block, rpc)) ?? []
      await settleAccounts(rpc, changes)
      return changes
    }

    async function close(time: number): Promise<void> {
      await rpc.call('evm_mine', { timestamp: time })
    }

    /** The indices of accounts that users control now: they send nothing of their own in the next block. */
    async function restingNow(block: BlockToMake, changed: readonly string[]): Promise<readonly number[]> {
      const used = accounts.placesOf([...(await foreign.readySenders()), ...changed])
      return [...new Set([...(block.resting ?? []), ...used])]
    }

    /** Makes the next block; `again` means that it was made before and must have the same contents. */
    async function make(block: BlockToMake, again = false): Promise<JournalEntry> {
      const { generated = true, raw: _raw, transactions: _transactions, resting: _resting, ...given } = block
      const { time, ...rest } = given
      const { number: before } = head
      const changed = (await settle(time)).map(({ account }) => `0x${account}`)
      const resting = again ? (block.resting ?? []) : await restingNow(block, changed)
      const order: BlockOrder = { ...rest, ...(resting.length === 0 ? {} : { resting }) }
      const next = generated ? generator.next(state, order) : undefined
      const own = await sendBlock(rpc, next, block)
      await close(time)
      const made = await readBlock()
      head = headOf(made)
      if (head.number !== before + 1) throw new Error(`the node made block ${head.number} after ${before}`)
      state = next?.state ?? state
      const isOwn =
        resting.length === 0 &&
        own.size === made.transactions.length &&
        own.size === (next?.requests.length ?? 0) &&
        made.transactions.every((hash) => own.has(hash))
      const senders = (next?.requests ?? []).map(({ from }) => lower(from ?? '0x'))
      const concerned = [...changed, ...senders, ...resting.map(accounts.addressOf)]
      const others = isOwn ? undefined : await takeOver(own, concerned)
      const entry: JournalEntry = {
        number: head.number,
        hash: head.hash,
        time: head.time,
        ...order,
        generated,
        ...(others === undefined ? {} : { transactions: others.all }),
      }
      const raw = others?.foreign ?? []
      remember(head.number, { time, ...order, generated, ...(raw.length === 0 ? {} : { raw }) })
      if (!again) await foreign.afterBlock()
      return entry
    }

    /**
     * Adopts the transactions of users in the new block: updates the nonces of their accounts. Resolves with the
     * block's signed transactions, in the order in which to resend them.
     */
    async function takeOver(own: ReadonlySet<string>, concerned: readonly string[]): Promise<Content> {
      const sent = await readContent(rpc)
      const places = accounts.placesOf([...concerned, ...sent.map(({ from }) => lower(from))])
      const nonces = [...state.nonces]
      const counts = await accounts.noncesOf(places)
      for (const [index, place] of places.entries()) nonces[place] = counts[index] ?? 0
      state = { ...state, nonces }
      return {
        all: sent.map(({ raw }) => raw),
        foreign: sent.flatMap(({ hash, raw }) => (own.has(hash) ? [] : [raw])),
      }
    }

    async function saveNow(): Promise<void> {
      const dump = await rpc.call('anvil_dumpState')
      if (!isHex(dump)) throw new Error('anvil_dumpState gave no bytes')
      const { number } = head
      await store.writeSave({ ...head, state }, Buffer.from(dump.slice(2), 'hex'))
      savedNumber = number
    }

    /**
     * Saves the chain and continues with a new node that loads the saved state. anvil hashes a slot that a failing
     * call read and found empty, but only for contracts that it has loaded: blocks can be reproduced only by a node
     * that began with the same state. A node that keeps all states continues, because a new one would not have them.
     */
    async function checkpoint(): Promise<void> {
      await saveNow()
      if (options.keptStates === undefined) return
      const found = store.readSave()
      if (found === undefined) throw new Error('the state that was just saved is missing')
      await node.replace(found.load)
      store.forgetLoad()
      const { hash } = await readHead()
      if (hash !== head.hash) throw new Error(`the saved state holds block ${hash}, not ${head.hash}`)
      isFresh = true
      await foreign.afterBlock()
    }

    async function makeAndNote(block: BlockToMake): Promise<JournalEntry> {
      const made = await make(block)
      const entry: JournalEntry = isFresh ? { ...made, isFirst: true } : made
      isFresh = false
      store.append(entry)
      if (entry.number - savedNumber >= saveEvery) await checkpoint()
      return entry
    }

    async function rollback(height: number): Promise<void> {
      const before = states.get(height)
      if (before === undefined) throw new Error(`block ${height} is too far back to return to`)
      await rpc.call('anvil_rollback', head.number - height)
      head = await readHead()
      // The node's first state does not have them yet.
      if (height === 0) await builtIns()
      state = before
      for (const number of [...states.keys(), ...blocks.keys()]) {
        if (number <= height) continue
        states.delete(number)
        blocks.delete(number)
      }
      store.appendRollback(height)
      // A save above the fork would restore the removed blocks.
      if (height < savedNumber) await saveNow()
    }

    return {
      plan,
      timeline,
      get anvil() {
        return node.anvil
      },
      gone: node.gone,
      store,
      get head() {
        return head
      },
      mineHistory: (times, progress, stop) =>
        exclusive(async () => {
          const messages = await messagesAt(times)
          const prepareBlock = (index: number): [BlockToMake, GeneratedBlock] | undefined => {
            const time = times[index]
            if (time === undefined) return undefined
            const tell = messages.get(index)
            const block: BlockToMake = {
              time,
              at: time,

              ...(tell === undefined ? {} : { tell }),
            }
            return [block, generator.next(state, block)]
          }
          let prepared = prepareBlock(0)
          for (let number = 1; prepared !== undefined && !stop.aborted; number += 1) {
            const [block, next] = prepared
            await settle(block.time)
            await rpc.batch(generatedCalls(next))
            const closed = close(block.time)
            state = next.state
            remember(number, block)
            // The next block is generated while the node mines this one.
            await setImmediate()
            prepared = prepareBlock(number)
            await closed
            // The hash is read once at the end: reading it here would cost a third of the speed.
            head = { number, hash: head.hash, time: block.time }
            if (number % 20 === 0) progress(number)
          }
          if (stop.aborted) return
          head = await readHead()
          await accounts.expectNonces(state.nonces)
          progress(times.length)
        }),
      mine: (place) => exclusive(() => makeAndNote(place(head))),
      mineUpon: (hash, block) =>
        exclusive(async () => (head.hash === hash ? await makeAndNote(block) : undefined)),
      replace: (plan) =>
        exclusive(async () => {
          const { height, blocks: planned } = await plan(head)
          await rollback(height)
          const made: JournalEntry[] = []
          for (const block of planned) made.push(await makeAndNote(block))
          return made
        }),
      replay: (list) =>
        exclusive(async () => {
          for (const entry of list) {
            const { number: _number, hash, isFirst, ...block } = entry
            if (isFirst === true && !isFresh) await checkpoint()
            isFresh = false
            try {
              const made = await make(block, true)
              if (made.hash !== hash) return entry
            } catch (error) {
              if (!(error instanceof RpcError)) throw error
              // The journal contains a transaction that the node refuses. Those sent for this block must not enter
              // another.
              await rpc.call('anvil_dropAllTransactions')
              return entry
            }
          }
          return undefined
        }),
      open() {
        isOpen = true
      },
      submit: (raw) =>
        exclusive(async () => {
          if (isOpen) return foreign.submit(raw)
          throw new RpcError('eth_sendRawTransaction', -32_000, 'chain is not done bootstrapping')
        }),
      save: () => exclusive(saveNow),
      checkpoint: () => exclusive(checkpoint),
      addresses: () => generator.addresses(state),
      tokens: () => generator.tokens(state),
      blockAt: (height) => blocks.get(height),
      async stop() {
        await queue
        await node.stop()
      },
    }
  }
}

function headOf(block: BlockFields): Head {
  return { number: Number(block.number), hash: block.hash, time: Number(block.timestamp) }
}
