import * as z from 'zod/mini'
import { alwaysSent, openEnum, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { addressParams } from './token-fields.ts'

const operation = operationsOf('EVM contracts')

/** How a code fits its sources: with the hash of the metadata, or without (Sourcify's words). */
const sourceMatches = ['exact_match', 'match'] as const

const match = z.optional(openEnum(sourceMatches))

/** An argument as it was decoded: lists and tuples are lists. */
const argument = record({
  name: z.string(),
  type: z.string(),
  value: z.union([z.string(), z.array(z.unknown())]),
})

/** Sources that compile to the code of a contract. */
const contractSource = record({
  name: z.string().with(z.describe('The contract’s name in its sources')),
  path: z.string().with(z.describe('The source that defines the contract')),
  sameCodeAs: z
    .optional(record({ chainId: z.string(), address: z.string() }))
    .with(z.describe('The contract whose sources these are, if it is another with the same code')),
  madeBy: z
    .optional(z.string())
    .with(
      z.describe(
        'The contract that created it, if it was recognized as one of those that the creator’s sources create: nobody gave sources for it',
      ),
    ),
  runtimeMatch: match.with(z.describe('How the code on the chain fits')),
  creationMatch: match.with(z.describe('How the code that created the contract fits')),
  verifiedTimestamp: timestamp.with(z.describe('When the sources were checked')),
  language: z.string(),
  compilerVersion: z.string(),
  compilerSettings: z.record(z.string(), z.unknown()),
  constructorArguments: z.optional(
    record({
      data: z.string().with(z.describe('As they follow the creation code')),
      args: z.array(argument),
    }),
  ),
  libraries: alwaysSent(z.array(record({ name: z.string(), address: z.string() }))),
  sources: alwaysSent(
    z
      .array(record({ path: z.string(), content: z.string() }))
      .with(z.describe('The source of the contract first, then the others by their paths')),
  ),
})
export type ContractSource = z.infer<typeof contractSource>

/**
 * Only in Ridgeline: the sources that compile to the code that a contract has now, if they were shown here: most were not,
 * which is not an error.
 */
export const getContractSource = operation({
  id: 'getContractSource',
  path: '/v1/chains/{chainId}/contracts/{address}/source',
  summary: 'Get the verified sources of a contract',
  params: addressParams,
  response: record({
    source: z.optional(contractSource).with(z.describe('Absent if they are not verified')),
  }),
})
