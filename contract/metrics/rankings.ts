import * as z from 'zod/mini'
import { amount, chainId, paging, record, timeWindow } from '../base/fields.ts'
import { addressParty, ercType } from '../base/token.ts'
import { operationsOf } from '../base/operation.ts'

const operation = operationsOf('Metrics')

/**
 * The most transactions that a ranking counts, and the most changes of balances that one of tokens counts: about a second
 * of work. A longer range is a 400.
 */
export const maxRanked = 1_000_000

const params = z.object({ chainId })

/** The range of a ranking, both ends exclusive, and the number of its rows. */
const range = {
  ...timeWindow,
  pageSize: paging({ min: 1, max: 100, default: 25 }).pageSize,
}

export const callOrders = ['gasUsed', 'transactionCount', 'callerCount'] as const
export type CallOrder = (typeof callOrders)[number]
export const tokenOrders = ['transferCount', 'holderCount'] as const
export type TokenOrder = (typeof tokenOrders)[number]

/** What calls come to. Fees are gas used times effective gas price, in the chain's smallest unit. */
const calls = {
  transactionCount: z.string(),
  failedCount: z.string(),
  gasUsed: amount,
  feesPaid: amount,
  callerCount: z.string().with(z.describe('Distinct senders of these transactions')),
}

/** The sums over all ranked rows, which a share is a part of. */
const totals = record({ rowCount: z.string(), transactionCount: z.string(), gasUsed: amount })

const rules =
  'A call is a transaction with at least four bytes of data to an address. Plain payments and creations are not calls. The counts are exact, in an open period too.'

/** Only in Ridgeline: `/v2/chains/{chainId}/rankings/contracts` (docs/metrics.md, Rankings). */
export const rankContracts = operation({
  id: 'rankContracts',
  path: '/v2/chains/{chainId}/rankings/contracts',
  summary: 'The contracts that were called most in a range',
  description: `${rules} Each address counts the calls that name it, not those made inside of other calls.`,
  params,
  query: z.object({ ...range, sortBy: z._default(z.enum(callOrders), 'gasUsed') }),
  response: record({
    contracts: z.array(record({ contract: addressParty, ...calls })),
    totals,
  }),
})
export type RankedContract = z.infer<typeof rankContracts.response>['contracts'][number]

/** Only in Ridgeline: `/v2/chains/{chainId}/rankings/methods` (docs/metrics.md, Rankings). */
export const rankMethods = operation({
  id: 'rankMethods',
  path: '/v2/chains/{chainId}/rankings/methods',
  summary: 'The methods that were called most in a range',
  description: `${rules} A method is the first four bytes of the data; its name is that of a known signature.`,
  params,
  query: z.object({ ...range, sortBy: z._default(z.enum(callOrders), 'gasUsed') }),
  response: record({
    methods: z.array(
      record({
        methodHash: z.string(),
        methodName: z.optional(z.string()),
        contractCount: z.string().with(z.describe('Distinct addresses called with this method')),
        ...calls,
      }),
    ),
    totals,
  }),
})
export type RankedMethod = z.infer<typeof rankMethods.response>['methods'][number]

/** Only in Ridgeline: `/v2/chains/{chainId}/rankings/tokens` (docs/metrics.md, Rankings). */
export const rankTokens = operation({
  id: 'rankTokens',
  path: '/v2/chains/{chainId}/rankings/tokens',
  summary: 'The tokens that moved most in a range',
  description:
    'Each moved ID of a batch is a transfer. A holder is active if its balance after some block of the range differs from the one before that block.',
  params,
  query: z.object({ ...range, sortBy: z._default(z.enum(tokenOrders), 'transferCount') }),
  response: record({
    tokens: z.array(
      record({ token: addressParty, ercType, transferCount: z.string(), holderCount: z.string() }),
    ),
    totals: record({ rowCount: z.string(), transferCount: z.string() }),
  }),
})
export type RankedToken = z.infer<typeof rankTokens.response>['tokens'][number]
