import * as z from 'zod/mini'
import { alwaysSent, amount, keptFrom, openEnum, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { addressParty } from '../base/token.ts'
import { addressParams } from './token-fields.ts'

const operation = operationsOf('EVM addresses')

/** Maximum number of approvals in an answer. */
export const maxApprovals = 200

/** What may be taken: an amount of an ERC-20 token, one NFT, or all NFTs of a collection. */
const approvalKinds = ['AMOUNT', 'NFT', 'COLLECTION'] as const

const approval = record({
  kind: openEnum(approvalKinds).with(
    z.describe('An amount of an ERC-20 token, one NFT, or all NFTs of a collection that the address has'),
  ),
  token: addressParty,
  spender: addressParty.with(z.describe('Who may take them')),
  isContract: z.boolean().with(z.describe('Whether the spender is a contract')),
  allowance: z
    .optional(amount)
    .with(z.describe('How much of an ERC-20 token the spender may still take, in its smallest unit')),
  balance: z
    .optional(amount)
    .with(z.describe('What the address has of the token; absent for NFTs, and if the token does not tell')),
  tokenId: z.optional(z.string()).with(z.describe('The NFT, if it is one')),
  blockNumber: z.string().with(z.describe('The block of the latest approval')),
  blockTimestamp: timestamp,
  txHash: z.string(),
})
export type Approval = z.infer<typeof approval>

/**
 * Only in Ridgeline: who may take which tokens of an address. The logs of the index tell what was approved, and the tokens
 * themselves, asked of the node at its head, what is left of it: what was used up or revoked is not listed.
 */
export const listApprovals = operation({
  id: 'listApprovals',
  path: '/v1/chains/{chainId}/addresses/{address}/approvals',
  summary: 'List who may take which tokens of an address',
  params: addressParams,
  response: record({
    blockNumber: z.string().with(z.describe('The block after which the tokens were asked')),
    approvals: alwaysSent(z.array(approval)).with(
      z.describe(`The latest first, among the ${maxApprovals} latest that were given`),
    ),
    isComplete: z
      .boolean()
      .with(z.describe('False if the address has given more approvals than are looked at')),
    logsFrom: keptFrom.logsFrom,
  }),
})
