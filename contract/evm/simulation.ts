import * as z from 'zod/mini'
import { alwaysSent, amount, evmAddress, openEnum, record } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { decodedOutput } from './contract-code.ts'
import { addressParams } from './token-fields.ts'
import { balanceChange, maxChanges } from './transaction-changes.ts'
import { failureKinds } from './transaction-failure.ts'
import { decoded } from './transactions.ts'

const operation = operationsOf('EVM contracts')

/** Maximum bytes of the data of a call. */
export const maxCallBytes = 131_072

/**
 * Only in Ridgeline: what a call of a contract would do after the node's newest block. Nothing is signed or sent, and the
 * sender need not prove who it is: anybody may ask.
 */
export const simulateCall = operation({
  id: 'simulateCall',
  method: 'POST',
  path: '/v1/chains/{chainId}/contracts/{address}/simulate',
  summary: 'Try what a call of a contract would do, without sending it',
  params: addressParams,
  body: z.strictObject({
    from: evmAddress,
    data: z
      .string()
      .check(
        z.regex(/^0x([0-9a-fA-F]{2})*$/, 'must be whole bytes in 0x hex'),
        z.maxLength(2 + 2 * maxCallBytes),
      ),
    value: z._default(
      amount.check(
        z.maxLength(78),
        z.refine((digits) => BigInt(digits) < 2n ** 256n, { error: 'must be below 2^256' }),
      ),
      '0',
    ),
  }),
  response: record({
    blockNumber: z.string().with(z.describe('The block after which it was tried')),
    isSuccess: z.boolean().with(z.describe('Whether the call would succeed')),
    gasUsed: z.optional(amount).with(z.describe('Without a reserve; absent if unknown')),
    outputs: z
      .optional(z.array(decodedOutput))
      .with(z.describe('What it returned, by the ABI; absent if the ABI is unknown or the call failed')),
    failure: z
      .optional(
        record({
          kind: openEnum(failureKinds),
          reason: z.string().with(z.describe('In words, such as `insufficient allowance`')),
          error: z
            .optional(decoded)
            .with(z.describe('Present when the signature is known and the data decode')),
        }),
      )
      .with(z.describe('Present if the call failed')),
    isTraced: z
      .boolean()
      .with(z.describe('Whether the node could trace the call: if not, what it moves is unknown')),
    changes: alwaysSent(z.array(balanceChange)).with(
      z.describe(`What it would change, without the fee; the sender’s first, at most ${maxChanges}`),
    ),
    omittedCount: z.int().with(z.describe('The number of further changes')),
  }),
})
