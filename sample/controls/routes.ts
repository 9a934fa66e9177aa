import type { IncomingMessage } from 'node:http'
import type { EvmChain } from '../evm/evm-chain.ts'
import type { BlockToMake } from '../evm/order.ts'
import { randomOf } from '../kernel/random.ts'
import type { JournalEntry } from '../evm/store.ts'
import { type Handler, readBody, type RouteGroup, sendJson } from '../kernel/front.ts'
import type { Counters } from './counters.ts'
import type { Faults } from './faults.ts'
import type { Pretence, PretenceChain, PretendingLedger } from './pretence.ts'
import {
  type BlockRef,
  endpointKeys,
  type FaultOrder,
  type ForkOrder,
  type IdentityOrder,
  type MineOrder,
  type ReorgOrder,
  type ReorgResult,
  type RewindOrder,
} from './types.ts'

/** State that the controls set and the hook reads. */
export type Controls = {
  readonly faults: Faults
  readonly counters: Counters
  /** The pretended head of each chain. */
  readonly rewinds: Map<string, number>
  readonly identities: Map<string, IdentityOrder>
  /** While a chain is in this map, calls from outside wait, so that nobody sees an unfinished reorg. */
  readonly gates: Map<string, Promise<unknown>>
  /** The pretended P and X chains, once their ledger exists. */
  primary: PretendingLedger | undefined
}

/** The order is invalid; the message gives the reason. Answered with 400. */
class ControlError extends Error {
  override readonly name = 'ControlError'
}

type Run = (body: unknown) => unknown

function refOf({ number, hash, time }: BlockRef): BlockRef {
  return { number, hash, time }
}

/** Makes each branch unique. */
let branch = 0

/** As many transactions as a block of the history has: a test that asks for blocks wants something in them. */
function defaultCount({ plan }: EvmChain, ...key: number[]): number {
  return Math.min(20, randomOf(plan.key, 'controls', ...key).poisson(plan.meanTransactions))
}

/** The blocks of the new branch, in order. */
function branchBlocks(chain: EvmChain, order: ReorgOrder, originals: readonly BlockToMake[]): BlockToMake[] {
  const { sameTransactions = 'none', transactions, extend = 1 } = order
  branch += 1
  const blocks: BlockToMake[] = originals.map((original, index) => {
    const time = original.time + 1
    if (sameTransactions === 'all') return { ...original, time }
    if (sameTransactions === 'some' && index % 2 === 0) return { ...original, time, take: 2 }
    const count = transactions ?? defaultCount(chain, branch, index)
    return { at: original.at, time, salt: branch, count }
  })
  const last = originals.at(-1)?.time ?? chain.head.time
  for (let index = 1; index <= Math.max(1, extend); index += 1) {
    const time = last + 1 + index * 2
    const count = transactions ?? defaultCount(chain, branch, originals.length + index)
    blocks.push({ at: time, time, salt: branch, count })
  }
  return blocks
}

async function mine(chain: EvmChain, order: MineOrder, seed: number): Promise<BlockRef[]> {
  const made: JournalEntry[] = []
  for (let index = 0; index < (order.blocks ?? 1); index += 1) {
    const block = await chain.mine(({ number, time: before }) => {
      const wait = order.seconds ?? randomOf(seed, chain.plan.key, 'interval', number + 1).between(2, 5)
      const count = order.transactions ?? defaultCount(chain, seed, number)
      return { time: before + wait, at: before + wait, count }
    })
    made.push(block)
  }
  return made.map(refOf)
}

async function reorg(chain: EvmChain, order: ReorgOrder): Promise<ReorgResult> {
  const { depth } = order
  const undone: BlockRef[] = []
  const made = await chain.replace(async ({ number: head }) => {
    if (!Number.isInteger(depth) || depth < 1 || depth > head) {
      throw new ControlError(`depth is ${depth}; it must be from 1 to the head, ${head}`)
    }
    const originals: BlockToMake[] = []
    for (let number = head - depth + 1; number <= head; number += 1) {
      const original = chain.blockAt(number)
      if (original === undefined) throw new ControlError(`block ${number} is too far back to be replaced`)
      originals.push(original)
      const block = await chain.anvil.rpc.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false)
      const { hash, timestamp } = block as { hash: `0x${string}`; timestamp: string }
      undone.push({ number, hash, time: Number(timestamp) })
    }
    return { height: head - depth, blocks: branchBlocks(chain, order, originals) }
  })
  const [first] = made
  if (first === undefined) throw new Error('a reorganisation made no block')
  return { ancestor: first.number - 1, undone, made: made.map(refOf), head: refOf(chain.head) }
}

/** `/test/…`: the test controls. The paths exist only with `--test-controls`. */
export function controlRoutes(
  controls: Controls,
  chains: ReadonlyMap<string, Promise<EvmChain>>,
): RouteGroup {
  async function chainOf({ chain }: { chain?: unknown }): Promise<EvmChain> {
    const found = typeof chain === 'string' ? await chains.get(chain) : undefined
    if (found !== undefined) return found
    throw new ControlError(
      `chain is ${JSON.stringify(chain)}; it must be one of ${[...chains.keys()].join(', ')}`,
    )
  }

  function isEndpoint({ chain }: { chain?: unknown }): boolean {
    return endpointKeys.some((key) => key === chain)
  }

  const pretences = new Map<PretenceChain, Pretence>()
  /** Sets or clears a part of what P or X pretends. */
  function pretend(chain: unknown, changed: { head?: number | undefined; fork?: number | undefined }): void {
    if (chain !== 'P' && chain !== 'X') {
      throw new ControlError(`chain is ${JSON.stringify(chain)}; it must be one of P, X`)
    }
    if (controls.primary === undefined) throw new ControlError('P and X have not been made yet')
    const { head, fork } = { ...pretences.get(chain), ...changed }
    const pretence = { ...(head === undefined ? {} : { head }), ...(fork === undefined ? {} : { fork }) }
    try {
      controls.primary.pretend(chain, pretence)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new ControlError(error.message, { cause: error })
    }
    pretences.set(chain, pretence)
  }

  /** Calls from outside wait until the work is done. */
  async function behindGate<T>(chain: EvmChain, work: () => Promise<T>): Promise<T> {
    const working = work()
    const { key } = chain.plan
    const opened = working.then(
      () => undefined,
      () => undefined,
    )
    controls.gates.set(key, opened)
    try {
      return await working
    } finally {
      controls.gates.delete(key)
    }
  }

  const orders: Readonly<Record<string, Run>> = {
    'POST /test/faults': async (body) => {
      const order = body as FaultOrder
      if (!isEndpoint(order)) await chainOf(order)
      return controls.faults.add(order)
    },
    'DELETE /test/faults': () => {
      controls.faults.clear()
      controls.counters.reset()
      return {}
    },
    'GET /test/faults': () => ({ faults: controls.faults.list(), requests: controls.counters.report() }),
    'GET /test/heads': async () =>
      Object.fromEntries(
        await Promise.all([...chains].map(async ([key, chain]) => [key, refOf((await chain).head)] as const)),
      ),
    'POST /test/mine': async (body) => {
      const order = body as MineOrder
      const chain = await chainOf(order)
      const blocks = await mine(chain, order, 0)
      return { blocks, head: refOf(chain.head) }
    },
    'POST /test/reorg': async (body) => {
      const order = body as ReorgOrder
      const chain = await chainOf(order)
      return behindGate(chain, () => reorg(chain, order))
    },
    'POST /test/rewind': async (body) => {
      const order = body as RewindOrder
      if (order.on && !Number.isInteger(order.to)) throw new ControlError('to must be a height')
      if (order.chain === 'P' || order.chain === 'X') {
        pretend(order.chain, { head: order.on ? order.to : undefined })
        return {}
      }
      await chainOf(order)
      if (order.on && order.to !== undefined) controls.rewinds.set(order.chain, order.to)
      else controls.rewinds.delete(order.chain)
      return {}
    },
    'POST /test/fork': (body) => {
      const order = body as ForkOrder
      pretend(order.chain, { fork: order.from })
      return {}
    },
    'POST /test/identity': async (body) => {
      const order = body as IdentityOrder
      await chainOf(order)
      controls.identities.set(order.chain, order)
      return {}
    },
  }

  async function bodyOf(request: IncomingMessage): Promise<unknown> {
    const body = await readBody(request)
    if (body.length === 0) return {}
    try {
      return JSON.parse(body.toString('utf8'))
    } catch (error) {
      throw new ControlError('the body is not JSON', { cause: error })
    }
  }

  const handler: Handler = async (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const run = orders[`${request.method ?? 'GET'} ${path}`]
    try {
      const body = await bodyOf(request)
      if (run === undefined) sendJson(response, { message: 'no such control' }, 404)
      else sendJson(response, await run(body))
    } catch (error) {
      const status = error instanceof ControlError ? 400 : 500
      sendJson(response, { message: error instanceof Error ? error.message : String(error) }, status)
    }
  }
  return { routes: new Map([['/test/', handler]]) }
}
