import type { ChainPlan, ContractName } from './chains.ts'
import { accountsOf } from './chains.ts'
import type { Hex } from '../kernel/hex.ts'

/** What the scripts of the special contracts remember between blocks. */
export type CaseState = {
  /** The next step of each maker. */
  next: number[]
  /** The contracts that stand, by name. */
  made: Record<string, Hex>
  /** What is done. */
  marks: string[]
  /** For each collection: the place of the maker that holds token 1, 2, …; -1 for anybody else. */
  owners: Record<string, number[]>
  /** Time of the last block, Unix seconds. */
  last: number
}

/** What the account for messages to other chains remembers. */
export type CourierState = {
  /** The messenger's address, once it has been created. */
  messenger?: Hex
  /** Time of the last block, Unix seconds. */
  last: number
}

/** What the transaction generator remembers between blocks. It is saved with the chain's state, as JSON. */
export type GeneratorState = {
  /** Blocks generated so far, the empty ones of a reorganisation not counted. */
  step: number
  /** Of every account: the makers of the special contracts and the one for messages come last. */
  nonces: number[]
  /** The first account's nonce at each deployment done. */
  deployments: number[]
  /** For each Token of the plan: the accounts that hold some. */
  tokenHolders: number[][]
  /** For each Collectible: the account that holds token 1, 2, … */
  collectibles: number[][]
  /** For each Items contract: the accounts that hold some of every item. */
  itemHolders: number[][]
  /** Allowances given and not yet used. */
  allowances: { token: number; owner: number; spender: number }[]
  cases: CaseState
  courier: CourierState
}

function perContract(plan: ChainPlan, contract: ContractName, first: number[]): number[][] {
  return plan.deployments.filter((deployment) => deployment.contract === contract).map(() => [...first])
}

/** The state before block 1. The first account deploys, so it holds the first supply of every token. */
export function firstState(plan: ChainPlan): GeneratorState {
  return {
    step: 0,
    nonces: Array.from({ length: accountsOf(plan) }, () => 0),
    deployments: [],
    tokenHolders: perContract(plan, 'Token', [0]),
    collectibles: perContract(plan, 'Collectible', []),
    itemHolders: perContract(plan, 'Items', []),
    allowances: [],
    cases: { next: Array.from({ length: plan.makers }, () => 0), made: {}, marks: [], owners: {}, last: 0 },
    courier: { last: 0 },
  }
}
