import { expect } from 'vitest'
import { compareBalances, compareNodeTotals } from './balances-comparison.ts'
import { compareEvmChain } from './evm-comparison.ts'
import {
  compareBlocks,
  compareRewards,
  compareSupply,
  compareTransactions,
  type Compared,
} from './primary-comparison.ts'
import { compareProposers } from './proposers-comparison.ts'
import { compareL1Validators, compareSubnets, compareValidators } from './validators-comparison.ts'

/** All comparisons of an index with its node, by test title. */
export const comparisons: Readonly<Record<string, (compared: Compared) => Promise<void>>> = {
  'blocks of P and X': compareBlocks,
  'proposers of P': ({ nodeUrl, service }) => compareProposers(nodeUrl, service, 'P'),
  'proposers of X': ({ nodeUrl, service }) => compareProposers(nodeUrl, service, 'X'),
  'proposers of C': ({ nodeUrl, service }) => compareProposers(nodeUrl, service, 'C'),
  'transactions of P, X and C': compareTransactions,
  'balances and UTXOs of every address': compareBalances,
  'the totals of the node itself': compareNodeTotals,
  'rewards that were paid': compareRewards,
  'validators and delegators': compareValidators,
  'the supply': compareSupply,
  'validators of the L1': compareL1Validators,
  'subnets and blockchains': compareSubnets,
  'the EVM of C': async ({ nodeUrl, service, story }) => {
    const found = await compareEvmChain(`${nodeUrl}/ext/bc/C/rpc`, service, story.evmAccounts)
    expect(found.transactions).toBeGreaterThan(10)
    expect(found.logs).toBeGreaterThan(10)
    expect(found.calls).toBeGreaterThan(30)
  },
}
