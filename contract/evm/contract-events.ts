import * as z from 'zod/mini'
import { blockRange, evmHash, keptFrom, nextPageToken, paging, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { pageBounds } from '../base/query.ts'
import { addressParams } from './token-fields.ts'
import { decoded } from './transactions.ts'

const operation = operationsOf('EVM contracts')

/** Maximum bytes of a log's data in a list. */
export const maxEventBytes = 4_096

const contractEvent = record({
  blockNumber: z.string(),
  blockTimestamp: timestamp,
  txHash: z.string(),
  logIndex: z.int(),
  topics: z.array(z.string()),
  data: z.string().with(z.describe(`The data of the log, at most the first ${maxEventBytes} bytes`)),
  event: z
    .optional(decoded)
    .with(z.describe('By the ABI of the contract, or of its code then; absent if that is not known')),
})
export type ContractEvent = z.infer<typeof contractEvent>

/** Only in Ridgeline: the logs of a contract, latest first, narrowed to an event and the values of its indexed arguments. */
export const listContractEvents = operation({
  id: 'listContractEvents',
  path: '/v1/chains/{chainId}/contracts/{address}/events',
  summary: 'List the events of a contract, latest first',
  description:
    'A page may have fewer rows than asked for, or none, while there are more: only the last one lacks a `nextPageToken`.',
  params: addressParams,
  query: z.object({
    topic0: z.optional(evmHash.with(z.describe('The hash of the event’s signature'))),
    topic1: z.optional(evmHash.with(z.describe('The first indexed argument, as a word'))),
    topic2: z.optional(evmHash.with(z.describe('The second indexed argument'))),
    topic3: z.optional(evmHash.with(z.describe('The third indexed argument'))),
    ...blockRange,
    ...paging(pageBounds.activity),
  }),
  response: record({
    nextPageToken,
    events: z.array(contractEvent).with(z.describe('By block and log')),
    logsFrom: keptFrom.logsFrom,
  }),
})
