import type { Hex } from 'viem'
import { accountsOf, type ChainPlan, type ContractName } from './chains.ts'

/** The state of the special contracts' scripts between blocks. */
export type CaseState = {
  /** The next step of each account. */
  next: number[]
  /** The deployed contracts by name. */
  made: Record<string, Hex>
  /** The marks that are set. */
  marks: string[]
  /** For each collection: the index of the account that holds token 1, 2, …; -1 for any other holder. */
  owners: Record<string, number[]>
}

/** The state of the account for messages to other chains. */
export type CourierState = {
  /** The messenger's address, once it is deployed. */
  messenger?: Hex
}

/** The state of the transaction generator between blocks. It is saved as JSON with the chain's state. */
export type GeneratorState = {
  /** The number of generated blocks; empty ones of a reorganization are not counted. */
  step: number
  /** The time that the last generated block was made for, Unix seconds; 0 before the first. */
  last: number
  /** The nonces of all accounts, in the order of the node's accounts. */
  nonces: number[]
  /** The first account's nonce at each deployment. */
  deployments: number[]
  /** For each Token of the plan: the accounts that hold some of it. */
  tokenHolders: number[][]
  /** For each Collectible: the account that holds token 1, 2, … */
  collectibles: number[][]
  /** For each Items contract: the accounts that hold some of every item. */
  itemHolders: number[][]
  /** Allowances that have not been used. */
  allowances: { token: number; owner: number; spender: number }[]
  cases: CaseState
  courier: CourierState
}

function perContract(plan: ChainPlan, contract: ContractName, first: number[]): number[][] {
  return plan.deployments.filter((deployment) => deployment.contract === contract).map(() => [...first])
}

/** The state before block 1. The first account deploys, so it holds the initial supply of every token. */
export function firstState(plan: ChainPlan): GeneratorState {
  return {
    step: 0,
    last: 0,
    nonces: Array.from({ length: accountsOf(plan) }, () => 0),
    deployments: [],
    tokenHolders: perContract(plan, 'Token', [0]),
    collectibles: perContract(plan, 'Collectible', []),
    itemHolders: perContract(plan, 'Items', []),
    allowances: [],
    cases: { next: Array.from({ length: plan.makers }, () => 0), made: {}, marks: [], owners: {} },
    courier: {},
  }
}
