import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { inEnglish } from '../../../contract/base/english.ts'
import { networkName } from '../../../contract/base/fields.ts'
import { nodeIds } from '../../../contract/primary/fields.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { nodeOf } from '../../primary/request-values.ts'
import { readFeeds, type NodeFeed } from './feed.ts'

type Labels = Readonly<Record<string, string>>
type Sample = { readonly labels: Labels; readonly value: string | number | bigint }
type Series = {
  readonly name: string
  readonly help: string
  of(feed: NodeFeed): readonly Sample[]
}

/** A series with one value per node that has it. */
const single = (
  name: string,
  help: string,
  value: (feed: NodeFeed) => string | number | boolean | undefined,
): Series => ({
  name,
  help,
  of(feed) {
    const found = value(feed)
    if (found === undefined) return []
    return [{ labels: { node: feed.nodeId }, value: typeof found === 'boolean' ? Number(found) : found }]
  },
})

type L1Validation = NodeFeed['l1Validations'][number]

/** A series with one value per L1 validation. */
const ofL1 = (
  name: string,
  help: string,
  value: (validation: L1Validation) => number | bigint | boolean | undefined,
): Series => ({
  name,
  help,
  of: (feed) =>
    feed.l1Validations.flatMap((each) => {
      const found = value(each)
      if (found === undefined) return []
      const labels = { node: feed.nodeId, subnet: each.subnetId, validation: each.validationId }
      return [{ labels, value: typeof found === 'boolean' ? Number(found) : found }]
    }),
})

const series: readonly Series[] = [
  single(
    'ridgeline_validator_active',
    'Whether the node validates the primary network now',
    ({ validationStatus }) => (validationStatus === undefined ? undefined : validationStatus === 'active'),
  ),
  single('ridgeline_validator_end_seconds', 'Unix time at which the validation ends', (f) => f.endTimestamp),
  single('ridgeline_validator_remaining_seconds', 'Seconds of validation left', (f) => f.secondsRemaining),
  single('ridgeline_validator_stake_navax', 'Own stake', (f) => f.amountStaked),
  single('ridgeline_validator_delegated_navax', 'Stake of its delegators', (f) => f.amountDelegated),
  single('ridgeline_validator_delegators', 'Delegations', (f) => f.delegatorCount),
  single(
    'ridgeline_validator_capacity_navax',
    'What may yet be delegated to it',
    (f) => f.delegationCapacity,
  ),
  single('ridgeline_validator_uptime_percent', 'Uptime as the node sees it', (f) => f.uptimePerformance),
  single(
    'ridgeline_validator_required_uptime_percent',
    'Uptime that a reward needs',
    (f) => f.uptimeRequirement,
  ),
  single(
    'ridgeline_validator_connected',
    'Whether the configured node is connected to it',
    (f) => f.isConnected,
  ),
  single('ridgeline_validator_sampled_seconds', 'Unix time of the newest sample', (f) => f.sampledTimestamp),
  single(
    'ridgeline_validator_proposed_block',
    'The P-Chain block that it proposed last',
    (f) => f.lastProposedBlock,
  ),
  single('ridgeline_validator_proposed_seconds', 'Unix time of that block', (f) => f.lastProposedTimestamp),
  single('ridgeline_validator_chain_seconds', 'Chain time that the figures belong to', (f) => f.timestamp),
  ofL1('ridgeline_l1_validator_weight', 'Weight in its L1', (each) => each.weight),
  ofL1('ridgeline_l1_validator_active', 'Whether it has a balance to pay from', (each) => each.isActive),
  ofL1('ridgeline_l1_validator_balance_navax', 'Balance left', (each) => each.remainingBalance),
  ofL1(
    'ridgeline_l1_validator_remaining_seconds',
    'Seconds until the balance is used up at the present fee',
    (each) => each.secondsRemaining,
  ),
]

/** Figures of nodes in the Prometheus text format, version 0.0.4. */
function validatorSeries(network: string, feeds: readonly NodeFeed[]): string {
  return series
    .map(({ name, help, of }) => {
      const lines = feeds.flatMap(of).map(({ labels, value }) => {
        const all = Object.entries({ network, ...labels }).map(([label, text]) => `${label}="${text}"`)
        return `${name}{${all.join(',')}} ${value}\n`
      })
      return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`
    })
    .join('')
}

const wanted = z.object({ network: networkName, nodeIds })

/**
 * `/metrics/validators?network=…&nodeIds=…`: the figures of getNodeFeed as Prometheus series, for existing
 * alerting. If the operator protects `/metrics`, the same key is required.
 */
export function serveValidatorSeries(app: FastifyInstance, { config, access, store }: RouteContext): void {
  app.get('/metrics/validators', async (request, reply) => {
    access.require(request, 'prometheus')
    const query = wanted.safeParse(request.query, inEnglish)
    if (!query.success) {
      throw badRequest(query.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
    }
    const network = findNetwork(config, query.data.network)
    const nodes = query.data.nodeIds.map((text) => nodeOf('nodeIds', text))
    const feeds = await readFeeds(store.get().database, network, nodes)
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(validatorSeries(network.id, feeds))
  })
}
