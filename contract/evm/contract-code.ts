import * as z from 'zod/mini'
import { alwaysSent, evmAddress, openEnum, record, timestamp, wholeNumber } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { addressParams } from './token-fields.ts'
import { abiFrom } from './transactions.ts'

/*
 * What the code of a contract says. A separate file, because pages that show no code would load it with the operations of
 * contracts.ts.
 */

const operation = operationsOf('EVM contracts')

export const proxyKinds = [
  'EIP-1967',
  'EIP-1967 beacon',
  'EIP-1822',
  'EIP-1167',
  'EIP-2535',
  'EIP-897',
  'Safe',
  'OpenZeppelin',
  'Compound',
] as const

/** Somebody with a power over a contract: what the contract calls it, and who has it. */
const powerHolder = record({
  power: z.string().with(z.describe('What the contract calls it: `owner`, `admin`, `DEFAULT_ADMIN_ROLE`')),
  address: z.string(),
  isContract: z.optional(z.boolean()),
})

const namedType = record({ name: z.string(), type: z.string() })
const abiParameter = z.extend(namedType, {
  components: z
    .optional(z.array(z.unknown()))
    .with(
      z.describe('The parts of a tuple, or of a list of tuples, each with `name`, `type` and `components`'),
    ),
})
export const decodedOutput = z.extend(namedType, { value: z.union([z.string(), z.array(z.unknown())]) })

/** A function by its ABI. */
const abiFunction = record({
  signature: z.string(),
  inputs: z.array(abiParameter),
  outputs: z.array(abiParameter),
  isPayable: z
    .optional(z.boolean())
    .with(z.describe('True if the function takes an amount of the native token; absent for view functions')),
})
export type AbiFunction = z.infer<typeof abiFunction>

/**
 * Only in Ridgeline: the code of an address, read from the node at the head. An account without code has size
 * 0.
 */
export const getContractCode = operation({
  id: 'getContractCode',
  path: '/v1/chains/{chainId}/contracts/{address}/code',
  summary: 'Get the code size, proxy target and readable functions of a contract',
  params: addressParams,
  response: record({
    codeSize: z.int(),
    codeHash: z.optional(z.string()),
    proxy: z.optional(
      record({
        kind: openEnum(proxyKinds),
        implementation: z.string(),
        implementationHasCode: z.boolean(),
        implementationName: z
          .optional(z.string())
          .with(z.describe('Its name in its verified source, or that of the operator’s ABI')),
        implementations: z
          .optional(z.array(z.string()))
          .with(z.describe('All of them, for a proxy that has several')),
        beacon: z.optional(z.string()).with(z.describe('The contract that names the implementation')),
        changeableBy: alwaysSent(z.array(powerHolder)).with(
          z.describe(
            'Who can replace the implementation, as far as it can be told; empty if nobody is known to',
          ),
        ),
        upgrades: alwaysSent(
          z.array(
            record({
              implementation: z.optional(z.string()),
              name: z.optional(z.string()),
              blockNumber: z.string(),
              blockTimestamp: timestamp,
              txHash: z.string(),
              sender: z.string().with(z.describe('Who signed the transaction')),
            }),
          ),
        ).with(z.describe('When the implementation was set, the latest first, at most 100')),
      }),
    ),
    abiName: z.optional(z.string()).with(z.describe('What the ABI is called that describes it')),
    abiFrom: z
      .optional(abiFrom)
      .with(
        z.describe('Who says so: the configuration, the verified source, or a label, which nothing proves'),
      ),
    functions: z.optional(z.array(abiFunction)).with(z.describe('The view functions, if the ABI is known')),
    writeFunctions: z
      .optional(z.array(abiFunction))
      .with(z.describe('The functions that can change something, if the ABI is known')),
    events: z
      .optional(
        z.array(
          record({
            signature: z.string(),
            topic0: z.string().with(z.describe('The hash of the signature')),
            inputs: z.array(z.extend(namedType, { indexed: z.boolean() })),
          }),
        ),
      )
      .with(z.describe('The events, if the ABI is known')),
  }),
})

/**
 * Only in Ridgeline: calls one of the functions that `getContractCode` lists. Arguments and results are text.
 */
export const readContract = operation({
  id: 'readContract',
  method: 'POST',
  path: '/v1/chains/{chainId}/contracts/{address}/read',
  summary: 'Call a function of a contract that only reads',
  params: addressParams,
  body: z.strictObject({
    signature: z.string().check(z.minLength(3), z.maxLength(512)),
    args: z
      .array(z.union([z.string().check(z.maxLength(65_536)), z.array(z.unknown()).check(z.maxLength(256))]))
      .check(z.maxLength(32)),
    blockNumber: z.optional(z.string().check(z.regex(/^\d{1,16}$/))),
    address: z.optional(evmAddress.with(z.describe('The caller (`msg.sender`)'))),
  }),
  response: record({ blockNumber: z.string(), outputs: z.array(decodedOutput) }),
})

/** Maximum number of functions that are called at once. */
export const maxViews = 64

/** Only in Ridgeline: calls all view functions of a contract that take no arguments, at one block. */
export const readContractViews = operation({
  id: 'readContractViews',
  path: '/v1/chains/{chainId}/contracts/{address}/views',
  summary: 'Call all functions of a contract that only read and take no arguments',
  params: addressParams,
  query: z.object({
    blockNumber: z.optional(wholeNumber.with(z.describe('The block after which they are called'))),
  }),
  response: record({
    blockNumber: z.string(),
    views: alwaysSent(
      z.array(
        record({
          signature: z.string(),
          outputs: z.optional(z.array(decodedOutput)),
          error: z.optional(z.string()).with(z.describe('Why there is no result')),
        }),
      ),
    ).with(z.describe(`In the order of the ABI, at most ${maxViews}`)),
  }),
})

/**
 * Only in Ridgeline: who has which power over a contract, asked of the node at the head by the usual names that its ABI
 * has, and by the events of roles.
 */
export const getContractPowers = operation({
  id: 'getContractPowers',
  path: '/v1/chains/{chainId}/contracts/{address}/powers',
  summary: 'Get who has power over a contract',
  params: addressParams,
  response: record({
    isPaused: z.optional(z.boolean()).with(z.describe('Whether the contract says that it is paused')),
    holders: alwaysSent(z.array(powerHolder)).with(z.describe('At most 100')),
  }),
})
