import * as z from 'zod/mini'
import { record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { plainLine } from '../base/plain-text.ts'
import { addressParams } from './token-fields.ts'

const operation = operationsOf('EVM contracts')

/** The most characters of a label, and the most items of an ABI. */
export const labelBounds = { name: 64, items: 2_000 } as const

/** What somebody who may has said of an address. */
const label = record({
  name: z.optional(z.string()),
  abi: z.optional(z.array(z.unknown())).with(z.describe('The ABI of the contract, which nothing proves')),
  givenBy: z
    .string()
    .with(z.describe('Who said it: `operator`, or `key` or `user` and the name of the key or the user')),
  givenTimestamp: timestamp.with(z.describe('When that was')),
})
export type AddressLabel = z.infer<typeof label>

/** Only in Ridgeline: the label of an address. */
export const getAddressLabel = operation({
  id: 'getAddressLabel',
  path: '/v1/chains/{chainId}/addresses/{address}/label',
  summary: 'Get what was said of an address here',
  params: addressParams,
  response: record({
    label: z.optional(label).with(z.describe('Absent if nothing was said')),
    mayChange: z.boolean().with(z.describe('Whether this caller may change it')),
  }),
})

/**
 * Only in Ridgeline: says what an address is called, and what its functions are, for everybody who uses the service. It takes
 * the place of what was said before; without a name and an ABI nothing is said any more.
 */
export const setAddressLabel = operation({
  id: 'setAddressLabel',
  method: 'POST',
  path: '/v1/chains/{chainId}/addresses/{address}/label',
  summary: 'Give an address a name or an ABI for everybody here',
  description:
    'It needs the local token, or a key or a role with the privilege `verify`. Both are shown with who gave them, and never ' +
    'instead of what is verified.',
  params: addressParams,
  // A misspelt field must not take back what was said.
  body: z.strictObject({
    name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(labelBounds.name), plainLine)),
    abi: z.optional(
      z
        .array(z.unknown())
        .check(z.minLength(1), z.maxLength(labelBounds.items))
        .with(z.describe('The ABI of the contract: a list of functions, events and errors')),
    ),
  }),
  response: record({ label: z.optional(label) }),
})
