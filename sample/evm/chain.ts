import { setImmediate } from 'node:timers/promises'
import type { Anvil } from './anvil.ts'
import { startAnvil } from './anvil.ts'
import type { Told } from './courier.ts'
import type { ChainPlan } from './chains.ts'
import { accountsOf } from './chains.ts'
import type { GeneratedBlock, Generator, NamedAddresses } from './generator.ts'
import type { BlockOrder } from './order.ts'
import type { Hex } from './hex.ts'
import { isHex, quantity } from './hex.ts'
import type { RpcCall } from './rpc.ts'
import { RpcError } from './rpc.ts'
import type { GeneratorState } from './state.ts'
import { firstState } from './state.ts'
import type { ChainStore, JournalEntry, Save } from './store.ts'
import type { Timeline } from './story.ts'

/** The newest block. Time in Unix seconds. */
export interface Head {
  readonly number: number
  readonly hash: Hex
  readonly time: number
}

/** A block to be made: when, and with what in it. */
export interface BlockToMake extends BlockOrder {
  readonly time: number
  /** False leaves the generator out: a block with nothing but `raw` and what the pool holds. */
  readonly generated?: boolean
  /** Signed transactions to include. */
  readonly raw?: readonly Hex[]
}

/** What becomes of the blocks above a height. */
export interface Replacement {
  readonly height: number
  readonly blocks: readonly BlockToMake[]
}

/** One living chain: an anvil process and the generator that feeds it. */
export interface EvmChain {
  readonly plan: ChainPlan
  readonly timeline: Timeline
  readonly anvil: Anvil
  readonly store: ChainStore
  readonly head: Head
  /** Mines the history's blocks one after another; `progress` hears how many there are so far. */
  mineHistory(times: readonly number[], progress: (done: number) => void, stop: AbortSignal): Promise<void>
  /**
   * Makes one block and writes it to the journal. Calls queue up, and `place` is asked when its turn has come: a time
   * that was worked out earlier may lie before the head by then.
   */
  mine(place: (head: Head) => BlockToMake): Promise<JournalEntry>
  /** Makes one block upon the head of this hash; nothing when another head has come while the call waited. */
  mineUpon(hash: Hex, block: BlockToMake): Promise<JournalEntry | undefined>
  /**
   * Undoes every block above a height and makes others in their place, as `plan` says when its turn has come, with no
   * block of anybody else between. Only states the node still keeps can be gone back to.
   */
  replace(plan: (head: Head) => Promise<Replacement>): Promise<JournalEntry[]>
  /** Makes the journal's blocks again. Returns the first that came out different or was refused, if one did. */
  replay(entries: readonly JournalEntry[]): Promise<JournalEntry | undefined>
  /** The addresses of its contracts by name, as far as they stand, and of the accounts that hold many tokens. */
  addresses(): NamedAddresses
  /** The plan's tokens by symbol, at the addresses that they have or will have. */
  tokens(): Readonly<Record<string, Hex>>
  /** Saves the chain to disk. */
  save(): Promise<void>
  /** How the block of this height was made; known for the newest few hundred. */
  blockAt(height: number): BlockToMake | undefined
  stop(): Promise<void>
}

export interface EvmChainOptions {
  readonly plan: ChainPlan
  readonly timeline: Timeline
  readonly seed: number
  readonly store: ChainStore
  readonly keptStates?: number
  /** What comes from other chains, or goes to them, in the block of this height: settled before it is made. */
  readonly settle?: (height: number, time: number) => Promise<readonly AccountChange[]>
  /** What the L1's manager tells the P-chain in the history, by when the P-chain takes it in. */
  readonly told?: () => Promise<readonly Told[]>
  /** Hears the id of the node's process as soon as there is one. */
  readonly onSpawn: (pid: number) => void
  /** What to continue from. */
  readonly saved?: { readonly save: Save; readonly load: string }
}

const REMEMBERED = 600
const SAVE_EVERY = 400

/** What a block does to an account besides its transactions. */
export interface AccountChange {
  /** 20 bytes, hex without 0x. */
  readonly account: string
  /** nAVAX; negative when it leaves. */
  readonly amount: bigint
  /** How many nonces it uses up. */
  readonly exports: number
}

const WEI = 10n ** 9n

/** How the chain's part in messages to other chains comes about. */
interface Messaging {
  builtIns(): Promise<void>
  /** The payloads of each block of the history, by its place in `times`. */
  toldAt(times: readonly number[]): Promise<ReadonlyMap<number, readonly Hex[]>>
}

interface BlockFields {
  readonly number: Hex
  readonly hash: Hex
  readonly timestamp: Hex
  readonly transactions: readonly Hex[]
}

/** Starts the chain's node and reads where it stands. */
export async function startEvmChain(options: EvmChainOptions): Promise<EvmChain> {
  const { plan, timeline, seed, store, saved } = options
  const starting = startAnvil({
    chainId: plan.evmChainId,
    accounts: accountsOf(plan),
    mnemonicSeed: seed,
    genesisTime: timeline.start,
    cache: store.cache,
    onSpawn: options.onSpawn,
    ...(options.keptStates === undefined ? {} : { keptStates: options.keptStates }),
    ...(saved === undefined ? {} : { load: saved.load }),
  })
  // The encoders take as long to load as the node takes to start, so both go on at once.
  const loading = Promise.all([import('./generator.ts'), import('./courier.ts'), import('./warp.ts')])
  const anvil = await starting
  const { rpc } = anvil
  try {
    const [{ createGenerator }, { toldInBlocks }, { placeBuiltIns }] = await loading
    const accounts = ((await rpc.call('eth_accounts')) as readonly Hex[]).filter(isHex)
    const first = await readHead()
    if (saved !== undefined && first.hash !== saved.save.hash) {
      throw new Error(`the saved state holds block ${first.hash}, not ${saved.save.hash}`)
    }
    const builtIns = (): Promise<void> => placeBuiltIns(rpc, plan)
    if (saved === undefined) await builtIns()
    return createChain(createGenerator(plan, timeline, accounts, seed), accounts, first, {
      builtIns,
      async toldAt(times) {
        const told = (await options.told?.()) ?? []
        return toldInBlocks(plan, timeline, times, told)
      },
    })
  } catch (error) {
    await anvil.stop()
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
    accounts: readonly Hex[],
    first: Head,
    { builtIns, toldAt }: Messaging,
  ): EvmChain {
    let head = first
    let state: GeneratorState = saved?.save.state ?? firstState(plan)
    let savedNumber = saved?.save.number ?? -1
    let queue: Promise<unknown> = Promise.resolve()
    /** The generator's state after each recent block, so that a rollback can go back to it. */
    const states = new Map<number, GeneratorState>([[head.number, state]])
    const blocks = new Map<number, BlockToMake>()

    function exclusive<T>(work: () => Promise<T>): Promise<T> {
      const result = queue.then(work)
      queue = result.catch(() => undefined)
      return result
    }

    function remember(number: number, block?: BlockToMake): void {
      states.set(number, state)
      states.delete(number - REMEMBERED)
      if (block !== undefined) blocks.set(number, block)
      blocks.delete(number - REMEMBERED)
    }

    async function send(block: GeneratedBlock | undefined, raw: readonly Hex[]): Promise<void> {
      const calls: RpcCall[] = []
      if (block !== undefined) {
        calls.push({ method: 'anvil_setNextBlockBaseFeePerGas', params: [quantity(block.baseFee)] })
        for (const request of block.requests) calls.push({ method: 'eth_sendTransaction', params: [request] })
      }
      for (const transaction of raw) calls.push({ method: 'eth_sendRawTransaction', params: [transaction] })
      await rpc.batch(calls)
    }

    /** The node knows no atomic transactions: what they do to accounts is set before their block is made. */
    async function settle(time: number): Promise<void> {
      for (const { account, amount, exports } of (await options.settle?.(head.number + 1, time)) ?? []) {
        const address: Hex = `0x${account}`
        const [balance, nonce] = await rpc.batch([
          { method: 'eth_getBalance', params: [address, 'latest'] },
          { method: 'eth_getTransactionCount', params: [address, 'latest'] },
        ])
        if (!isHex(balance) || !isHex(nonce)) throw new Error(`no balance of ${address}`)
        const calls: RpcCall[] = [
          { method: 'anvil_setBalance', params: [address, quantity(BigInt(balance) + amount * WEI)] },
        ]
        if (exports > 0) {
          calls.push({
            method: 'anvil_setNonce',
            params: [address, quantity(BigInt(nonce) + BigInt(exports))],
          })
        }
        await rpc.batch(calls)
      }
    }

    async function close(time: number): Promise<void> {
      await rpc.call('evm_mine', { timestamp: time })
    }

    async function make(block: BlockToMake): Promise<JournalEntry> {
      const { generated = true, raw = [], time, ...order } = block
      const next = generated ? generator.next(state, order) : undefined
      await settle(time)
      await send(next, raw)
      await close(time)
      if (next !== undefined) state = next.state
      const made = await readBlock()
      head = headOf(made)
      const expected = (next?.requests.length ?? 0) + raw.length
      if (made.transactions.length < expected) {
        throw new Error(
          `block ${head.number} holds ${made.transactions.length} transactions, not ${expected}`,
        )
      }
      const foreign = made.transactions.length > expected ? await foreignOf(made, next) : raw
      const entry: JournalEntry = {
        number: head.number,
        hash: head.hash,
        time: head.time,
        ...order,
        generated,
        ...(foreign.length === 0 ? {} : { raw: foreign }),
      }
      remember(head.number, foreign === raw ? block : { ...block, raw: foreign })
      return entry
    }

    /** The signed bytes of the block's transactions that the generator did not send. */
    async function foreignOf(made: BlockFields, next: GeneratedBlock | undefined): Promise<Hex[]> {
      const own = new Set(next?.requests.map(({ from, nonce }) => `${from ?? ''}/${nonce ?? ''}`))
      const found: Hex[] = []
      for (const hash of made.transactions) {
        const sent = (await rpc.call('eth_getTransactionByHash', hash)) as { from: Hex; nonce: Hex }
        if (own.has(`${sent.from.toLowerCase()}/${sent.nonce}`)) continue
        const bytes = await rpc.call('eth_getRawTransactionByHash', hash)
        if (isHex(bytes)) found.push(bytes)
      }
      return found
    }

    /** A transaction that the node dropped would leave every later one of its sender waiting for ever. */
    async function checkNonces(): Promise<void> {
      const calls = accounts.map((address) => ({
        method: 'eth_getTransactionCount',
        params: [address, 'latest'],
      }))
      for (const [index, count] of (await rpc.batch(calls)).entries()) {
        const expected = state.nonces[index] ?? 0
        if (Number(count) === expected) continue
        throw new Error(`account ${index} has sent ${Number(count)} transactions, not ${expected}`)
      }
    }

    async function saveNow(): Promise<void> {
      const dump = await rpc.call('anvil_dumpState')
      if (!isHex(dump)) throw new Error('anvil_dumpState gave no bytes')
      const { number } = head
      await store.writeSave({ ...head, state }, Buffer.from(dump.slice(2), 'hex'))
      savedNumber = number
    }

    async function makeAndNote(block: BlockToMake): Promise<JournalEntry> {
      const entry = await make(block)
      store.append(entry)
      if (entry.number - savedNumber >= SAVE_EVERY) await saveNow()
      return entry
    }

    async function rollback(height: number): Promise<void> {
      const before = states.get(height)
      if (before === undefined) throw new Error(`block ${height} is too far back to return to`)
      await rpc.call('anvil_rollback', head.number - height)
      head = await readHead()
      // The node's first state is from before they were put in place.
      if (height === 0) await builtIns()
      state = before
      for (const number of [...states.keys(), ...blocks.keys()]) {
        if (number <= height) continue
        states.delete(number)
        blocks.delete(number)
      }
      store.appendRollback(height)
      // A save above the fork would bring the undone blocks back.
      if (height < savedNumber) await saveNow()
    }

    return {
      plan,
      timeline,
      anvil,
      store,
      get head() {
        return head
      },
      mineHistory: (times, progress, stop) =>
        exclusive(async () => {
          const told = await toldAt(times)
          const prepareBlock = (index: number): [BlockToMake, GeneratedBlock] | undefined => {
            const time = times[index]
            if (time === undefined) return undefined
            const tell = told.get(index)
            const block: BlockToMake = {
              time,
              at: time,
              pace: 'hourly',
              ...(tell === undefined ? {} : { tell }),
            }
            return [block, generator.next(state, block)]
          }
          let prepared = prepareBlock(0)
          for (let number = 1; prepared !== undefined && !stop.aborted; number += 1) {
            const [block, next] = prepared
            await settle(block.time)
            await send(next, [])
            const closed = close(block.time)
            state = next.state
            remember(number, block)
            // The next block is thought out while the node mines this one.
            await setImmediate()
            prepared = prepareBlock(number)
            await closed
            // The hash is read once at the end: asking for it here would cost a third of the speed.
            head = { number, hash: head.hash, time: block.time }
            if (number % 20 === 0) progress(number)
          }
          if (stop.aborted) return
          head = await readHead()
          await checkNonces()
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
            const { number: _number, hash, ...block } = entry
            try {
              const made = await make(block)
              if (made.hash !== hash) return entry
            } catch (error) {
              if (!(error instanceof RpcError)) throw error
              // The journal asks for what the node refuses. What was sent for this block must not slip into another.
              await rpc.call('anvil_dropAllTransactions')
              return entry
            }
          }
          return undefined
        }),
      save: () => exclusive(saveNow),
      addresses: () => generator.addresses(state),
      tokens: () => generator.tokens(state),
      blockAt: (height) => blocks.get(height),
      async stop() {
        await queue
        await anvil.stop()
      },
    }
  }
}

function headOf(block: BlockFields): Head {
  return { number: Number(block.number), hash: block.hash, time: Number(block.timestamp) }
}
