import { getValidatorOutlook } from '../../../contract/watch/outlook.ts'
import { wantedUptime } from '../../../protocol/primary/staking-limits.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { nodeOf } from '../../primary/request-values.ts'
import { readWatchNetworks } from '../../store/watch/read-facts.ts'
import { readFleetNodes, readSampledHours } from '../../store/watch/read-fleet.ts'
import { readDelegationsOf, readExpectedFees, readProposals } from '../../store/watch/read-outlook.ts'
import { binomialBand } from '../../watch/binomial.ts'
import { highestUptime } from '../../watch/evaluate.ts'
import { isStale, optional, seconds } from './answers.ts'
import { neededUptime } from './fleet-page.ts'

const maxGaps = 200

/** Runs of whole hours without a sample between two times. */
function gapsOf(
  hours: readonly number[],
  from: number,
  to: number,
): { fromTimestamp: number; toTimestamp: number }[] {
  const sampled = new Set(hours)
  const gaps: { fromTimestamp: number; toTimestamp: number }[] = []
  for (let hour = Math.ceil(from / 3_600) * 3_600; hour + 3_600 <= to; hour += 3_600) {
    if (sampled.has(hour)) continue
    const last = gaps.at(-1)
    if (last?.toTimestamp === hour) last.toTimestamp = hour + 3_600
    else gaps.push({ fromTimestamp: hour, toTimestamp: hour + 3_600 })
  }
  return gaps.slice(-maxGaps)
}

const round4 = (value: number): number => Math.round(value * 1e4) / 1e4

/** What a validation can still become (contract/watch/outlook.ts). */
export function outlookRoutes({ config, store, clock }: RouteContext): Implementation[] {
  return [
    implement(getValidatorOutlook, async ({ params }) => {
      const network = findNetwork(config, params.network)
      const node = nodeOf('nodeId', params.nodeId)
      const { database } = store.get()
      const [[facts], [row]] = await Promise.all([
        readWatchNetworks(database, [network.p]),
        readFleetNodes(database, network.p, [node]),
      ])
      if (!facts || !row || row.tx_id === null || row.ended_ts !== null) {
        throw notFound(`node ${params.nodeId} has no validation on ${network.id} now`)
      }
      const now = Number(facts.chain_ts ?? 0n)
      const [startTs, endTs] = [Number(row.start_ts), Number(row.end_ts)]
      const total = Math.max(1, endTs - startTs)
      const [hours, delegations, proposals, fees] = await Promise.all([
        readSampledHours(database, network.p, startTs - (startTs % 3_600)),
        readDelegationsOf(database, network.p, row.tx_id),
        readProposals(database, network.p, node, startTs),
        readExpectedFees(database, network.p, row.tx_id),
      ])
      const wanted = row.shares === null ? undefined : wantedUptime(startTs, seconds(facts.helicon_ts))
      const { uptime } = row
      const sampledTs = seconds(facts.sampled_ts)
      const highest = uptime === null ? 0 : highestUptime(uptime, startTs, endTs, now)
      const lowest = uptime === null ? 0 : (uptime * Math.min(total, Math.max(0, now - startTs))) / total
      const stake = proposals && Number(proposals.weight) / Math.max(1, Number(proposals.total))
      return {
        nodeId: params.nodeId,
        txHash: cb58(row.tx_id),
        timestamp: now,
        validationStatus: startTs > now ? 'pending' : 'active',
        startTimestamp: startTs,
        endTimestamp: endTs,
        renewsItself: row.compound_shares !== null && row.next_period !== 0n,
        ...(uptime !== null &&
          wanted !== undefined &&
          sampledTs !== undefined && {
            uptime: {
              sampledTimestamp: sampledTs,
              isStale: isStale(sampledTs, clock(), network.config.sampleSeconds),
              uptimePerformance: uptime,
              requirement: wanted,
              highest: round4(highest),
              lowest: round4(lowest),
              needed: neededUptime(uptime, wanted, startTs, endTs, now),
              isReachable: highest >= wanted,
              spareSeconds: Math.max(0, Math.floor(((highest - wanted) / 100) * total)),
            },
          }),
        sampleGaps: gapsOf(hours, startTs, now),
        ...(row.potential_reward !== null && {
          reward: {
            potential: row.potential_reward,
            ifItStopsNow: wanted !== undefined && lowest >= wanted ? row.potential_reward : '0',
            delegationFees: fees?.amount ?? '0',
          },
        }),
        ...(proposals &&
          stake !== undefined && {
            proposals: {
              fromTimestamp: Number(proposals.first_ts),
              toTimestamp: now,
              blockCount: Number(proposals.blocks),
              proposedCount: Number(proposals.proposed),
              expectedCount: round4(stake * Number(proposals.blocks)),
              ...binomialBand(Number(proposals.blocks), stake),
            },
          }),
        endingDelegations: delegations.slice(0, 10).map((each) => ({
          txHash: cb58(each.tx_id),
          amountDelegated: each.weight,
          endTimestamp: Number(each.end_ts),
        })),
        ...optional('lastProposedTimestamp', seconds(proposals?.last_ts)),
      }
    }),
  ]
}
