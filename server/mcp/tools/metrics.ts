import { z } from 'zod'
import { listChains } from '../../../contract/evm/chains.ts'
import { addsUp, metricEntry, metricNames } from '../../../contract/metrics/catalogue.ts'
import { timeIntervals } from '../../../contract/metrics/intervals.ts'
import { getMetric } from '../../../contract/metrics/metrics.ts'
import { networkMetricEntry, networkMetricNames } from '../../../contract/metrics/network-catalogue.ts'
import { getNetworkMetric } from '../../../contract/metrics/network-metrics.ts'
import { callOrders, rankContracts, rankMethods, rankTokens } from '../../../contract/metrics/rankings.ts'
import { chainGroups, type MetricPoint } from '../../../contract/metrics/series.ts'
import { RefusedError } from './ask.ts'
import { chainInput, limitInput, networkInput, timeInput, tool, unixSeconds, utc } from './tool.ts'

const value = z.union([z.number(), z.string()]).describe('Text if it exceeds 2^53')
const point = z.object({ timestamp: z.int(), value })

const pointOf = ({ timestamp, value: amount }: MetricPoint) => ({
  timestamp,
  value: typeof amount === 'bigint' ? amount.toString() : amount,
})

/** The unit of values as answers name it: amounts are in the smallest unit. */
const unitOf = (unit: string, smallest: string): string =>
  unit === 'amount' || unit === 'gas price' ? smallest : unit

const range = {
  from: timeInput.optional().describe('Only periods that begin after this time'),
  to: timeInput.optional().describe('Only periods that begin before this time'),
}
type Range = { readonly [Name in keyof typeof range]: z.output<(typeof range)[Name]> }

const rangeQuery = ({ from, to }: Range) => ({
  ...(from !== undefined && { startTimestamp: unixSeconds(from) }),
  ...(to !== undefined && { endTimestamp: unixSeconds(to) }),
})

const interval = z.enum(timeIntervals).default('day').describe('The length of a period, in UTC')

/** The names of the two catalogues; a name of both means the chain's when a chain is given. */
const allNames = [...new Set<string>([...metricNames, ...networkMetricNames])]
const evmMetric = z.enum(metricNames)
const networkMetric = z.enum(networkMetricNames)

export const metric = tool({
  name: 'metric',
  title: 'A metric over time',
  description:
    'The values of a metric by hour, day, week or month, latest first: of an EVM chain or all chains together (transactions, active addresses, gas, fees, contracts …), or of a network (stake, validators, rewards, fees, L1s …).',
  input: z.strictObject({
    metric: z
      .enum(allNames)
      .describe('The name of the metric; the resource ridgeline://metrics describes each'),
    chain: z
      .union([z.enum(chainGroups), chainInput])
      .optional()
      .describe(
        'For metrics of EVM chains: a chain ID, or total, mainnet or testnet for a sum. By default total',
      ),
    network: networkInput,
    interval,
    ...range,
    limit: limitInput(500, 30),
  }),
  output: z.object({
    metric: z.string(),
    title: z.string(),
    about: z.string(),
    unit: z.string(),
    of: z.string().describe('The chain, the sum of chains, or the network'),
    interval: z.string(),
    points: z.array(point).describe('Latest first; the first one may be of a period that has not ended'),
    url: z.string().optional(),
  }),
  async run({ metric: name, chain, network, interval: timeInterval, from, to, limit }, context) {
    const { ask, page, networkOf } = context
    const query = { timeInterval, ...rangeQuery({ from, to }), pageSize: limit }
    const ofChain = evmMetric.safeParse(name)
    const ofNetwork = networkMetric.safeParse(name)
    const isOfChain = ofChain.success && (chain !== undefined || !ofNetwork.success)
    if (!isOfChain && chain !== undefined)
      throw new RefusedError(400, `400: ${name} is a metric of a network: leave out the chain`)
    const read = async () => {
      if (isOfChain) {
        const of = chain ?? 'total'
        const { results } = await ask.operation(getMetric, {
          params: { chainId: of, metric: ofChain.data },
          query,
        })
        const isGroup = (chainGroups as readonly string[]).includes(of)
        return {
          of,
          results,
          entry: metricEntry(ofChain.data),
          url: isGroup ? undefined : page('metric', of, name),
        }
      }
      const of = await networkOf(network)
      const asked = networkMetric.parse(name)
      const { results } = await ask.operation(getNetworkMetric, {
        params: { network: of, metric: asked },
        query,
      })
      return { of, results, entry: networkMetricEntry(asked), url: page('networkMetric', of, name) }
    }
    const { of, results, entry, url } = await read()
    const points = results.map(pointOf)
    const unit = unitOf(entry.unit, isOfChain ? 'wei' : 'nAVAX')
    return {
      text: [
        `${entry.title} of ${of} by ${timeInterval} (${unit}), latest first:`,
        ...points.map((each) => `${utc(each.timestamp)}: ${each.value}`),
        ...(url === undefined ? [] : [url]),
      ],
      data: {
        metric: name,
        title: entry.title,
        about: entry.about,
        unit,
        of,
        interval: timeInterval,
        points,
        ...(url !== undefined && { url }),
      },
    }
  },
})

/** The most chains that are compared. */
const maxChains = 20

export const compareChains = tool({
  name: 'compare_chains',
  title: 'Compare chains',
  description:
    'One metric of every EVM chain of the service over the same periods, the largest first: which chain has most transactions, active addresses, fees …',
  input: z.strictObject({
    metric: z.enum(metricNames).default('txCount'),
    network: networkInput.describe('Only chains of this network'),
    interval,
    ...range,
    limit: limitInput(100, 7).describe('The most periods'),
  }),
  output: z.object({
    metric: z.string(),
    title: z.string(),
    unit: z.string(),
    interval: z.string(),
    chains: z.array(
      z.object({
        chainId: z.string(),
        name: z.string(),
        sum: value.optional().describe('Of the periods; only for metrics that add up'),
        points: z.array(point),
        url: z.string(),
      }),
    ),
    isComplete: z.boolean().describe('Whether all chains were compared: at most 20'),
  }),
  async run({ metric: name, network, interval: timeInterval, from, to, limit }, { ask, page }) {
    const { chains } = await ask.operation(listChains, { query: { network } })
    const entry = metricEntry(name)
    const rows = await Promise.all(
      chains.slice(0, maxChains).map(async ({ chainId, chainName }) => {
        const { results } = await ask.operation(getMetric, {
          params: { chainId, metric: name },
          query: { timeInterval, ...rangeQuery({ from, to }), pageSize: limit },
        })
        const sum = addsUp(entry) ? sumOf(results) : undefined
        return {
          chainId,
          name: chainName,
          ...(sum !== undefined && { sum }),
          points: results.map(pointOf),
          url: page('metric', chainId, name),
        }
      }),
    )
    const rank = ({ sum, points }: (typeof rows)[number]): number =>
      Number(sum ?? points[0]?.value ?? -Infinity)
    const ranked = rows.toSorted((left, right) => rank(right) - rank(left))
    return {
      text: [
        `${entry.title} by ${timeInterval} (${unitOf(entry.unit, 'wei')}), the largest first:`,
        ...ranked.map(
          (row) =>
            `${row.name} (${row.chainId}): ${row.sum === undefined ? '' : `${row.sum} in all; `}${row.points
              .map((each) => each.value)
              .join(', ')}: ${row.url}`,
        ),
      ],
      data: {
        metric: name,
        title: entry.title,
        unit: unitOf(entry.unit, 'wei'),
        interval: timeInterval,
        chains: ranked,
        isComplete: chains.length <= maxChains,
      },
    }
  },
})

/** The sum of the values: text if they are integers beyond 2^53. */
function sumOf(points: readonly MetricPoint[]): number | string {
  const values = points.map(({ value: each }) => each)
  if (values.some((each) => typeof each === 'number' && !Number.isInteger(each)))
    return values.reduce<number>((sum, each) => sum + Number(each), 0)
  const sum = values.reduce<bigint>((total, each) => total + BigInt(each), 0n)
  return sum > BigInt(Number.MAX_SAFE_INTEGER) ? sum.toString() : Number(sum)
}

const usedRow = z.object({
  id: z.string().describe('The address, or the first four bytes of a method'),
  name: z.string().optional(),
  transactionCount: z.string().optional(),
  gasUsed: z.string().optional(),
  callerCount: z.string().optional(),
  transferCount: z.string().optional(),
  holderCount: z.string().optional(),
  url: z.string().optional(),
})

export const ranking = tool({
  name: 'most_used',
  title: 'What is used most',
  description: 'The contracts, methods or tokens of an EVM chain that were used most in a range of time.',
  input: z.strictObject({
    chain: chainInput,
    what: z.enum(['contracts', 'methods', 'tokens']).default('contracts'),
    sortBy: z.enum(callOrders).default('gasUsed').describe('For contracts and methods'),
    ...range,
    limit: limitInput(100, 10),
  }),
  output: z.object({
    chainId: z.string(),
    what: z.string(),
    rows: z.array(usedRow),
    url: z.string(),
  }),
  async run({ chain, what, sortBy, from, to, limit }, { ask, page }) {
    const params = { chainId: chain }
    const query = { ...rangeQuery({ from, to }), pageSize: limit }
    const named = (name: string | undefined) => ({ ...(name !== undefined && { name }) })
    const read = async () => {
      if (what === 'tokens') {
        const { tokens } = await ask.operation(rankTokens, { params, query })
        return tokens.map(({ token, transferCount, holderCount }) => ({
          id: token.address,
          ...named(token.name ?? token.symbol),
          transferCount,
          holderCount,
          url: page('token', chain, token.address),
        }))
      }
      if (what === 'methods') {
        const { methods } = await ask.operation(rankMethods, { params, query: { ...query, sortBy } })
        return methods.map(({ methodHash, methodName, transactionCount, gasUsed, callerCount }) => ({
          id: methodHash,
          ...named(methodName),
          transactionCount,
          gasUsed,
          callerCount,
        }))
      }
      const { contracts } = await ask.operation(rankContracts, { params, query: { ...query, sortBy } })
      return contracts.map(({ contract, transactionCount, gasUsed, callerCount }) => ({
        id: contract.address,
        ...named(contract.name),
        transactionCount,
        gasUsed,
        callerCount,
        url: page('address', chain, contract.address),
      }))
    }
    const rows: z.input<typeof usedRow>[] = await read()
    const url = page('hot', chain)
    return {
      text: [
        `The ${what} of chain ${chain} that were used most:`,
        ...rows.map(({ id, name, url: _url, ...counts }) => {
          const figures = Object.entries(counts).map(([key, each]) => `${key} ${each}`)
          return `${name ?? id}: ${figures.join(', ')}`
        }),
        url,
      ],
      data: { chainId: chain, what, rows, url },
    }
  },
})
