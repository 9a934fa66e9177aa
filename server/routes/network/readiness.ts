import type { FastifyInstance } from 'fastify'
import { errorAnswer } from '../../kernel/http-errors.ts'
import { primaryChainName } from '../../primary/chains.ts'
import { indexedPrimaryChains } from '../../primary/served-network.ts'
import { readPrimaryStatus, type PrimaryStatusRow } from '../../store/primary/read-primary.ts'
import { lostServer, readStatus, type Statuses, type StatusRow } from '../../store/network/read-status.ts'
import type { RouteContext } from '../../http/route-context.ts'

/** Number of failed polls after which a node counts as unresponsive, and the minimum time in seconds. */
const missedPolls = 10
const silenceFloor = 60

/**
 * `/health`: the process is alive. `/ready`: the database answers, its replica is within the limit, and every chain is
 * within its lag limit.
 */
export function readinessRoutes(app: FastifyInstance, { chains, config, store, clock }: RouteContext): void {
  const primary = indexedPrimaryChains(config)
  app.get('/health', { config: { isUncounted: true } }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )

  app.get('/ready', { config: { isUncounted: true } }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const refuse = (reasons: string | readonly string[]) => reply.code(503).send(errorAnswer(503, reasons))
    if (store.closedReason !== undefined) return refuse(store.closedReason)
    let statuses: Statuses
    let primaryRows: readonly PrimaryStatusRow[]
    try {
      const { health } = store.get()
      ;[statuses, primaryRows] = await Promise.all([
        readStatus(
          health,
          chains.all.map(({ key }) => key),
          clock(),
        ),
        readPrimaryStatus(
          health,
          primary.map(({ key }) => key),
        ),
      ])
    } catch (error) {
      request.log.warn({ err: error }, 'the database does not answer')
      return refuse('the database does not answer')
    }
    const lag = store.get().replica?.lag?.seconds ?? 0
    const { replicaLagSeconds } = config.limits
    // Rows that are too old say nothing of the chains.
    if (lag > replicaLagSeconds) {
      return refuse(
        `the replica is ${Math.floor(lag)} s behind its primary; ${replicaLagSeconds} s are allowed`,
      )
    }
    const seen = clock() - Math.floor(lag)
    const { rows, lost } = statuses
    const reasons = [
      ...chains.all.flatMap((chain) => {
        const reason = lost.has(chain.key) ? lostServer : reasonOf(chain.config, rows.get(chain.key), seen)
        return reason === undefined ? [] : [`${chain.id} ${chain.config.name}: ${reason}`]
      }),
      ...primary.flatMap(({ network, key }, place) => {
        const reason = reasonOf(network, standingOf(primaryRows[place]), seen)
        return reason === undefined ? [] : [`${primaryChainName(key)}: ${reason}`]
      }),
    ]
    return reasons.length > 0 ? refuse(reasons) : reply.send({ status: 'ready' })
  })
}

/** What readiness asks of the state of a chain, of either kind. */
type Standing = Pick<StatusRow, 'state' | 'reason' | 'node_block' | 'node_seen_ts' | 'indexed_block'>

/** That of a chain of the primary network; undefined before its indexer has said anything. */
function standingOf(row: PrimaryStatusRow | undefined): Standing | undefined {
  if (!row || row.state === null) return undefined
  const { state, reason, node_height: node, node_seen_ts: seen, head_height: head } = row
  return { state, reason, node_block: node, node_seen_ts: seen, indexed_block: head }
}

/** Why a chain is not ready; undefined if it is. `now` is the time of the rows in Unix seconds. */
function reasonOf(
  { pollSeconds, lagLimit }: { readonly pollSeconds: number; readonly lagLimit: number },
  row: Standing | undefined,
  now: number,
): string | undefined {
  if (!row) return 'the indexer has not reached the node yet'
  if (row.state === 'stopped') return `stopped: ${row.reason ?? 'no reason was given'}`
  const why = row.state === 'waiting' && row.reason !== null ? `: ${row.reason}` : ''
  if (row.node_block === null || row.node_seen_ts === null) return `the node has not answered yet${why}`
  const silence = now - Number(row.node_seen_ts)
  const allowed = Math.max(silenceFloor, missedPolls * pollSeconds)
  if (silence > allowed) return `the node has not answered for ${silence} s${why}`
  if (row.indexed_block === null) return 'no block is indexed yet'
  const lag = row.node_block - row.indexed_block
  if (lag > BigInt(lagLimit)) {
    return `${lag} blocks behind the node; ${lagLimit} are allowed`
  }
  return undefined
}
