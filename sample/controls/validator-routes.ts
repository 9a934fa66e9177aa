import type { Clock } from '../kernel/clock.ts'
import { readBody, sendJson, type Handler, type RouteGroup } from '../kernel/front.ts'
import { randomOf } from '../kernel/random.ts'
import type { Peers } from '../peers/peers.ts'
import type { Engine } from '../primary/engine/engine.ts'
import { delegate, oneAvax, payer, validate } from '../primary/history/acts-p.ts'
import { disable, topUp } from '../primary/history/script-l1.ts'
import type { LedgerHost } from '../primary/host/host.ts'
import { LedgerError } from '../primary/ledger.ts'
import { type BareHex, hexOfCb58 } from '../../protocol/ids/bare-hex.ts'
import type { Party } from '../primary/wallet.ts'
import type { PretendingLedger } from './pretence.ts'
import type { AdvanceOrder, BalanceOrder, NodeOrder, StakeOrder } from './types.ts'

/** What the controls of validators act on. */
type ValidatorParts = {
  readonly ledger: Promise<LedgerHost>
  readonly peers: Promise<Peers>
  readonly clock: Clock
  /** The ledger that the node shows. */
  shown(): PretendingLedger | undefined
}

/** The order can't be carried out; answered with 400. */
class OrderError extends Error {
  override readonly name = 'OrderError'
}

const longest = 365 * 86_400
const stakes = { validator: 2_000n * oneAvax, delegator: 25n * oneAvax } as const

function nodeOf(text: unknown): BareHex {
  const found = typeof text === 'string' && text.startsWith('NodeID-') ? hexOfCb58(text.slice(7)) : undefined
  if (found === undefined) throw new OrderError('nodeId must be a node id')
  return found
}

function secondsOf(value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= longest) return value
  throw new OrderError(`seconds must be a whole number from ${least} to ${longest}`)
}

function payerOf(engine: Engine, time: number, amount: bigint): Party {
  const found = payer(engine, time, randomOf(engine.world.seed, 'control', engine.state.entries), amount)
  if (found === undefined) throw new OrderError('nobody has enough AVAX')
  return found
}

/**
 * `/test/nodes`, `/test/stakes`, `/test/l1-balances` and `/test/advance`: what becomes of validators. All but the
 * first make real blocks, at the clock's time or right after the newest block.
 */
export function validatorRoutes({ ledger, peers, clock, shown }: ValidatorParts): RouteGroup {
  const now = (host: LedgerHost): number => Math.max(host.chainTime() + 1, Math.floor(clock()))

  async function pretend({ nodeId, isConnected, uptime, version }: NodeOrder): Promise<void> {
    const node = nodeOf(nodeId)
    const view = shown()
    if (view === undefined) throw new OrderError('P has not been made yet')
    const share = uptime === undefined ? undefined : uptime / 100
    view.pretendNode(node, { isConnected, share })
    const all = await peers
    if (version === undefined) all.versions.delete(node)
    else all.versions.set(node, version)
    const { away } = await ledger
    if (isConnected === false) away.add(node)
    else away.delete(node)
    await all.behave(node, isConnected === false ? { behaviour: 'gone' } : undefined)
  }

  function stake(host: LedgerHost, { kind, nodeId, seconds }: StakeOrder): void {
    const id = nodeOf(nodeId)
    const weight = stakes[kind]
    const length = secondsOf(seconds, 1)
    host.act(now(host), (engine, time) => {
      const node = engine.world.nodes.find((each) => each.nodeId === id)
      if (node === undefined) throw new OrderError(`no node ${nodeId}`)
      const terms = { party: payerOf(engine, time, weight), node, weight, wait: 0, seconds: length }
      return kind === 'validator'
        ? validate(engine, time, { ...terms, shares: 20_000, modern: true })
        : delegate(engine, time, terms)
    })
  }

  function setBalance(host: LedgerHost, order: BalanceOrder): void {
    const id = hexOfCb58(order.validationId)
    const seconds = secondsOf(order.seconds, 0)
    const found = id === undefined ? undefined : host.l1Validator(id)
    if (id === undefined || found === undefined) throw new OrderError('there is no such L1 validator')
    if (found.balance > 0n) {
      host.act(now(host), (engine, time) => {
        const validator = engine.state.l1.get(id)
        if (validator === undefined) throw new OrderError('it no longer validates')
        return disable(engine, time, validator)
      })
    }
    if (seconds === 0) return
    const amount = host.validatorFeeState().price * BigInt(seconds)
    host.act(now(host), (engine, time) => topUp(engine, time, id, amount, payerOf(engine, time, amount)))
  }

  const orders: Readonly<Record<string, (body: unknown) => Promise<void>>> = {
    '/test/nodes': (body) => pretend(body as NodeOrder),
    '/test/stakes': async (body) => stake(await ledger, body as StakeOrder),
    '/test/l1-balances': async (body) => setBalance(await ledger, body as BalanceOrder),
    '/test/advance': async (body) => {
      const host = await ledger
      host.mine('P', host.chainTime() + secondsOf((body as AdvanceOrder).seconds, 1))
    },
  }

  const handler: Handler = async (request, response) => {
    const run = orders[request.url?.split('?', 1)[0] ?? '']
    try {
      const text = (await readBody(request)).toString('utf8')
      if (run === undefined || request.method !== 'POST')
        return sendJson(response, { message: 'no such control' }, 404)
      await run(JSON.parse(text))
      const host = await ledger
      sendJson(response, { height: host.height('P'), time: host.chainTime() })
    } catch (error) {
      const isWrong =
        error instanceof OrderError || error instanceof LedgerError || error instanceof RangeError
      const message = error instanceof Error ? error.message : String(error)
      sendJson(response, { message }, isWrong || error instanceof SyntaxError ? 400 : 500)
    }
  }
  return { routes: new Map(Object.keys(orders).map((path) => [path, handler])) }
}
