import { randomBytes } from 'node:crypto'
import type { EvmChain } from '../../../evm/evm-chain.ts'
import { createRpcClient, type RpcClient } from '../../../evm/anvil/rpc.ts'
import type { Entry, EvmFeed, FeedEvent } from '../feed.ts'
import { MethodError, badParam, kindOf } from '../local.ts'

/** The subscriptions of one connection. */
export type Subscriptions = {
  /** Returns the id of the new subscription. Throws `MethodError`. */
  subscribe(params: readonly unknown[]): Promise<string>
  /** Throws `MethodError` for an unknown id. */
  unsubscribe(params: readonly unknown[]): boolean
  end(): void
}

/** Opens the subscriptions of connections to a chain. */
type Subscriber = {
  /** `push` receives each notification; `lost` is called when there will be no more. */
  open(push: (subscription: string, result: unknown) => void, lost: () => void): Subscriptions
  close(): void
}

/** The most subscriptions of one connection. */
const max = 1000

type LogFilter = {
  readonly addresses: ReadonlySet<string> | undefined
  readonly topics: readonly (ReadonlySet<string> | undefined)[]
}

type Wish =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'logs'; readonly filter: LogFilter }
  | { readonly kind: 'newPendingTransactions' | 'newAcceptedTransactions'; readonly isWhole: boolean }

/** One value or a list of values; undefined for any. */
function choiceOf(value: unknown, what: string): ReadonlySet<string> | undefined {
  if (value === undefined || value === null) return undefined
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  if (list.length === 0 || list.includes(null)) return undefined
  return new Set(
    list.map((each) => {
      if (typeof each === 'string' && /^0x[0-9a-fA-F]*$/.test(each)) return each.toLowerCase()
      throw badParam(1, `invalid ${what}`)
    }),
  )
}

function filterOf(value: unknown): LogFilter {
  if (value === undefined || value === null) return { addresses: undefined, topics: [] }
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badParam(1, `json: cannot unmarshal ${kindOf(value)} into Go value of type filters.input`)
  }
  const { address, topics } = value as { address?: unknown; topics?: unknown }
  const wanted = Array.isArray(topics) ? (topics as readonly unknown[]) : []
  return {
    addresses: choiceOf(address, 'addresses in query'),
    topics: wanted.map((topic) => choiceOf(topic, 'topic(s)')),
  }
}

function wishOf([name, argument]: readonly unknown[]): Wish {
  if (typeof name !== 'string') throw new MethodError('expected subscription name as first argument', -32602)
  switch (name) {
    case 'newHeads':
      return { kind: name }
    case 'logs':
      return { kind: name, filter: filterOf(argument) }
    case 'newPendingTransactions':
    case 'newAcceptedTransactions':
      return { kind: name, isWhole: argument === true }
    default:
      throw new MethodError(`no "${name}" subscription in eth namespace`, -32601)
  }
}

function isWanted({ addresses, topics }: LogFilter, log: Entry): boolean {
  if (addresses !== undefined && !addresses.has(String(log['address']).toLowerCase())) return false
  const found = log['topics'] as readonly string[]
  return topics.every((choice, index) => {
    const topic = found[index]
    return topic !== undefined && (choice === undefined || choice.has(topic))
  })
}

const headerFields = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'hash',
] as const

/** A header as the network's nodes send it: without the size, with the time in milliseconds. */
function shownHeader(header: Entry): Entry {
  const fields = headerFields.map((name) => [name, header[name]] as const)
  const milliseconds = BigInt(String(header['timestamp'])) * 1000n
  return {
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
    blockGasCost: '0x0',
    timestampMilliseconds: `0x${milliseconds.toString(16)}`,
  }
}

/** A transaction as it was while pending. */
function shownTransaction(transaction: Entry): Entry {
  return { ...transaction, blockHash: null, blockNumber: null, transactionIndex: null }
}

export function createSubscriber(starting: Promise<EvmChain>, feed: EvmFeed): Subscriber {
  let client: RpcClient | undefined

  async function ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const chain = await starting
    client ??= createRpcClient(() => chain.anvil.port)
    return client.call(method, ...params)
  }

  /** The transactions of an event: whole ones, or their hashes. */
  async function transactionsOf(event: FeedEvent, isWhole: boolean): Promise<readonly unknown[]> {
    if (event.kind === 'pending') {
      if (!isWhole) return [event.hash]
      const found = (await ask('eth_getTransactionByHash', event.hash)) as Entry | null
      return found === null ? [] : [shownTransaction(found)]
    }
    if (event.kind !== 'head') return []
    const block = (await ask('eth_getBlockByHash', event.header['hash'], isWhole)) as {
      readonly transactions: readonly unknown[]
    } | null
    const found = block?.transactions ?? []
    return isWhole ? found.map((each) => shownTransaction(each as Entry)) : found
  }

  async function resultsOf(wish: Wish, event: FeedEvent): Promise<readonly unknown[]> {
    switch (wish.kind) {
      case 'newHeads':
        return event.kind === 'head' ? [shownHeader(event.header)] : []
      case 'logs':
        return event.kind === 'log' && isWanted(wish.filter, event.log) ? [event.log] : []
      case 'newPendingTransactions':
        return event.kind === 'pending' ? transactionsOf(event, wish.isWhole) : []
      default:
        return event.kind === 'head' ? transactionsOf(event, wish.isWhole) : []
    }
  }

  return {
    open(push, lost) {
      const wishes = new Map<string, Wish>()
      let leave: Promise<() => void> | undefined
      // The queue keeps notifications in order while one of them waits for data.
      let queue: Promise<unknown> = Promise.resolve()

      function hear(event: FeedEvent): void {
        for (const [id, wish] of wishes) {
          queue = queue.then(async () => {
            if (!wishes.has(id)) return
            for (const result of await resultsOf(wish, event)) push(id, result)
          })
        }
        queue = queue.catch(lost)
      }

      function end(): void {
        wishes.clear()
        // A feed that failed to open needs no closing.
        void leave?.then((stop) => stop()).catch(() => undefined)
        leave = undefined
      }

      return {
        async subscribe(params) {
          const wish = wishOf(params)
          if (wishes.size >= max) throw new MethodError(`no more than ${max} subscriptions for a connection`)
          leave ??= feed.listen(hear, lost)
          await leave
          const id = `0x${randomBytes(16).toString('hex')}`
          wishes.set(id, wish)
          return id
        },
        unsubscribe([id]) {
          if (!wishes.delete(String(id))) throw new MethodError('subscription not found')
          if (wishes.size === 0) end()
          return true
        },
        end,
      }
    },
    close: () => client?.close(),
  }
}
