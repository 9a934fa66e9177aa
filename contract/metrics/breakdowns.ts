import * as z from 'zod/mini'
import { networkName, nextPageToken, queryInteger, record, timestamp } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import type { NetworkMetricEntry } from './network-catalogue.ts'
import { seriesParameters, wideNumber } from './series.ts'

type BreakdownEntry = Pick<NetworkMetricEntry, 'kind' | 'title' | 'about'> & {
  readonly unit: 'messages' | '%'
}

/** Series of a network in parts that are not known beforehand, in the order of the page. */
export const breakdownCatalogue = {
  messagesSent: {
    kind: 'sum',
    title: 'Messages sent by pair of chains',
    about:
      'Messages that the warp precompile of an indexed chain emitted, and those about L1s that the P-Chain lets its validators sign. The destination is known where the message names it.',
    unit: 'messages',
  },
  messagesDelivered: {
    kind: 'sum',
    title: 'Messages delivered by pair of chains',
    about:
      'Messages that TeleporterMessenger on an indexed chain accepted, and those of L1s that the P-Chain accepted, each with the signatures of its source.',
    unit: 'messages',
  },
  clientVersions: {
    kind: 'level',
    title: 'Client versions of peers',
    about: 'Share of the node’s peers by version, as sampled from the node.',
    unit: '%',
  },
} as const satisfies Readonly<Record<string, BreakdownEntry>>

export type BreakdownName = keyof typeof breakdownCatalogue
export const breakdownNames = Object.keys(breakdownCatalogue) as readonly BreakdownName[]

/** The number of parts beside `other`. */
const breakdownParts = { min: 1, max: 20, default: 6 } as const

/** The id of the part that adds up all parts that are not listed. */
export const otherPart = 'other'

const chainOfPair = z.optional(
  record({ blockchainId: z.optional(z.string()), chainName: z.optional(z.string()) }),
)

/** Only in Ridgeline: `/v2/networks/{network}/breakdowns/{breakdown}`, latest point first (docs/metrics.md, Breakdowns). */
export const getNetworkBreakdown = operation({
  id: 'getNetworkBreakdown',
  path: '/v2/networks/{network}/breakdowns/{breakdown}',
  summary: 'A series of a network in parts over time: messages by pair of chains, client versions',
  tag: 'Metrics',
  params: z.object({ network: networkName, breakdown: z.enum(breakdownNames) }),
  query: z.object({
    ...seriesParameters.shape,
    parts: z
      ._default(queryInteger(breakdownParts), breakdownParts.default)
      .with(z.describe('The number of parts listed, largest over the whole range first')),
  }),
  response: record({
    nextPageToken,
    parts: z
      .array(record({ part: z.string(), name: z.string(), source: chainOfPair, destination: chainOfPair }))
      .with(
        z.describe(
          'The largest parts over the whole range, and `other` if there are more; identical on every page',
        ),
      ),
    results: z.array(
      record({
        timestamp,
        values: z.array(wideNumber).with(z.describe('In the order of `parts`')),
      }),
    ),
  }),
})
export type NetworkBreakdown = z.infer<typeof getNetworkBreakdown.response>
