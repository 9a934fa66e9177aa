import * as z from 'zod/mini'
import { errorBody } from '../base/errors.ts'
import { record } from '../base/fields.ts'
import { dashboardConfig, profile } from '../profile.ts'

/** A call of a node. */
const jsonRpcRequest = record({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).with(z.describe('Comes back with the answer')),
  method: z.string().with(z.describe('The name of the method, such as eth_blockNumber')),
  params: z
    .optional(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]))
    .with(z.describe('The parameters, as the node takes them')),
})

const jsonRpcError = record({
  code: z.int().with(z.describe('The code: see docs/gateway.md, Errors')),
  message: z.string().with(z.describe('What is wrong')),
})

/** Its answer. */
const jsonRpcAnswer = record({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).with(z.describe('That of the call')),
  result: z.optional(z.unknown()).with(z.describe('What the node answers; absent on failure')),
  error: z.optional(jsonRpcError).with(z.describe('Why the call failed; absent on success')),
})

const health = record({ status: z.string().with(z.describe('ok or ready')) })

/** The records of what the service serves besides operations, by name. */
export const serviceRecords = {
  Error: errorBody,
  Health: health,
  DashboardConfig: dashboardConfig,
  Profile: profile,
  JsonRpcRequest: jsonRpcRequest,
  JsonRpcError: jsonRpcError,
  JsonRpcAnswer: jsonRpcAnswer,
} as const
