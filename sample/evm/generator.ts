import { type Hex, getContractAddress } from 'viem'
import { actions, airdrop, priceOf, type Scene } from './actions.ts'
import { createCases } from './cases.ts'
import { courierDraft } from './courier.ts'
import type { ActionName, ChainPlan, Effect } from './chains.ts'
import { deploy, type Draft } from './draft.ts'
import { lower, quantity } from '../kernel/hex.ts'
import type { BlockOrder } from './order.ts'
import { randomOf } from '../kernel/random.ts'
import type { GeneratorState } from './state.ts'
import {
  activityAt,
  createLiveCount,
  effectAt,
  joinedAt,
  meanOfBlock,
  progressAt,
  type Timeline,
} from './story.ts'

/** A transaction for `eth_sendTransaction`. */
export type TransactionRequest = Readonly<Record<string, Hex>>

export type GeneratedBlock = {
  /** Wei. */
  readonly baseFee: number
  readonly requests: readonly TransactionRequest[]
  readonly state: GeneratorState
}

/** Addresses in lower case. */
export type NamedAddresses = {
  readonly contracts: Readonly<Record<string, Hex>>
  readonly accounts: Readonly<Record<string, Hex>>
}

/** A source of blocks: the same seed, plan, state and order always give the same transactions. */
export type Generator = {
  next(state: GeneratorState, order: BlockOrder): GeneratedBlock
  /** The deployed contracts of this state by name, and the accounts with a special role. */
  addresses(state: GeneratorState): NamedAddresses
  /** The plan's tokens by symbol, at their addresses, which are known before the deployment. */
  tokens(state: GeneratorState): Readonly<Record<string, Hex>>
}

const maxTransactions = 60

function actionsOf(plan: ChainPlan): (draw: number) => ActionName {
  const entries = Object.entries(plan.mix) as [ActionName, number][]
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0)
  return (draw) => {
    let rest = draw * total
    for (const [name, weight] of entries) {
      rest -= weight
      if (rest < 0) return name
    }
    return 'pay'
  }
}

/**
 * The generator of one chain. `accounts` are the node's own accounts, which sign: first the deployer, last the
 * accounts of the special contracts and the one for messages.
 */
export function createGenerator(
  plan: ChainPlan,
  timeline: Timeline,
  accounts: readonly Hex[],
  seed: number,
): Generator {
  const choose = actionsOf(plan)
  const people = accounts.slice(0, plan.accounts)
  const makers = accounts.slice(plan.accounts, plan.accounts + plan.makers)
  const courier = plan.accounts + plan.makers
  const cases = createCases(plan.key, seed, makers, people)
  const addresses = new Map<number, Hex>()

  function created(nonce: number): Hex {
    const known = addresses.get(nonce)
    if (known !== undefined) return known
    const address = getContractAddress({ from: accounts[0] ?? '0x', nonce: BigInt(nonce) })
    addresses.set(nonce, address)
    return address
  }

  const countLive = createLiveCount(plan, timeline, seed)

  function countOf(order: BlockOrder, { step, last }: GeneratorState, effect: Effect): number {
    if (order.count !== undefined) return order.count
    if (effect.quiet === true) return 0
    if (order.at > timeline.end)
      return Math.min(maxTransactions, countLive(Math.max(last, timeline.end), order.at))
    const mean = meanOfBlock(plan, timeline, order.at)
    const draw = randomOf(seed, plan.key, 'count', step, order.salt ?? 0).poisson(Math.min(40, mean))
    return Math.min(maxTransactions, draw)
  }

  function baseFeeOf(order: BlockOrder, step: number, effect: Effect): number {
    const activity = Math.min(3, activityAt(plan, timeline, order.at))
    const noise = 0.85 + 0.3 * randomOf(seed, plan.key, 'fee', step).next()
    return Math.floor(plan.baseFeeWei * (0.6 + 0.4 * activity) * noise * (effect.feeTimes ?? 1))
  }

  function draftOf(scene: Scene, effect: Effect): Draft {
    const name = effect.failing !== undefined && scene.random.chance(effect.failing) ? 'fail' : undefined
    return (
      actions[name ?? choose(scene.random.next())](scene) ?? actions.pay(scene) ?? { gas: 21_000, data: '0x' }
    )
  }

  return {
    next(before, order) {
      const state = structuredClone(before)
      const { step } = state
      state.step += 1
      state.last = order.at
      const effect = effectAt(plan, timeline, order.at)
      const baseFee = baseFeeOf(order, step, effect)
      const joined = joinedAt(plan, timeline, order.at)
      const requests: TransactionRequest[] = []
      const resting = new Set(order.resting)
      const add = (sender: number, draft: Draft): void => {
        const random = randomOf(seed, plan.key, 'price', step, order.salt ?? 0, requests.length)
        const nonce = state.nonces[sender] ?? 0
        state.nonces[sender] = nonce + 1
        requests.push({
          from: accounts[sender] ?? '0x',
          nonce: quantity(nonce),
          gas: quantity(draft.gas),
          ...(draft.to === undefined ? {} : { to: draft.to }),
          ...(draft.data === undefined ? {} : { data: draft.data }),
          value: quantity(draft.value ?? 0n),
          ...priceOf(random, baseFee, requests.length),
        })
      }

      const count = Math.min(order.take ?? Infinity, countOf(order, before, effect), joined - 1)
      const base = { plan, state, accounts: people, joined, created }
      const isWhole = order.count === undefined && order.take === undefined
      const deployment = plan.deployments[state.deployments.length]
      // At most one transaction per account and block: anvil drops the second when it pays more than the first.
      const mayDeploy = isWhole && !resting.has(0)
      if (mayDeploy && deployment !== undefined && deployment.at <= progressAt(timeline, order.at)) {
        state.deployments.push(state.nonces[0] ?? 0)
        add(0, deploy(deployment.contract, deployment.args))
      } else if (effect.airdrop !== undefined && count > 0 && !resting.has(0)) {
        const random = randomOf(seed, plan.key, 'airdrop', step, order.salt ?? 0)
        const draft = airdrop({ ...base, sender: 0, random }, effect.airdrop)
        if (draft !== undefined) add(0, draft)
      }
      const senders = new Set<number>()
      for (let place = 0; place < count; place += 1) {
        const random = randomOf(seed, plan.key, 'transaction', step, order.salt ?? 0, place)
        let sender = 1 + Math.floor((joined - 1) * random.next() ** 1.6)
        while (senders.has(sender)) sender = 1 + (sender % (joined - 1))
        senders.add(sender)
        if (!resting.has(sender)) add(sender, draftOf({ ...base, sender, random }, effect))
      }
      if (isWhole) {
        const moment = {
          order,
          progress: progressAt(timeline, order.at),
          gap: order.at - before.last,
          effect,
          step,
        }
        for (const { maker, draft } of cases.next(state.cases, state.nonces.slice(plan.accounts), moment)) {
          add(plan.accounts + maker, draft)
        }
        const self = accounts[courier] ?? '0x'
        const nonce = state.nonces[courier] ?? 0
        const message = resting.has(courier)
          ? undefined
          : courierDraft(plan, seed, self, nonce, state.courier, moment)
        if (message !== undefined) add(courier, message)
      }
      return { baseFee, requests, state }
    },
    tokens(state) {
      const ahead = (state.nonces[0] ?? 0) - state.deployments.length
      return Object.fromEntries(
        plan.deployments.flatMap(({ contract, args }, index) => {
          const symbol = args[1]
          if (contract !== 'Token' || typeof symbol !== 'string') return []
          return [[symbol, lower(created(state.deployments[index] ?? index + ahead))] as const]
        }),
      )
    },
    addresses(state) {
      const planned = plan.deployments.flatMap(({ contract, args }, index) => {
        const nonce = state.deployments[index]
        const name = typeof args[0] === 'string' ? args[0] : contract
        return nonce === undefined ? [] : [[name, lower(created(nonce))] as const]
      })
      return {
        contracts: {
          ...Object.fromEntries(planned),
          ...state.cases.made,
          ...(state.courier.messenger === undefined ? {} : { Messenger: state.courier.messenger }),
        },
        accounts: {
          Deployer: lower(accounts[0] ?? '0x'),
          ...Object.fromEntries(makers.map((address, index) => [`Maker ${index}`, lower(address)])),
          Courier: lower(accounts[courier] ?? '0x'),
        },
      }
    },
  }
}
