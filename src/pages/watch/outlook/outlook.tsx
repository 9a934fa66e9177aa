import { useQuery } from '@tanstack/react-query'
import { useOffers, type NetworkName } from '../../../api/current.ts'
import { isNotFound } from '../../../api/errors.ts'
import { outlookQuery, type Outlook as Facts } from '../../../api/watch/outlook.ts'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { Figures, type Figure } from '../../../components/figures.tsx'
import { useZone } from '../../../components/hooks.ts'
import { PrimaryTxLink } from '../../../components/primary-link.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState, UnsupportedState } from '../../../components/states.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { exactAmount, formatAmount, formatInteger, formatNumber } from '../../../lib/amounts.ts'
import { formatTime, spanText } from '../../../lib/time.ts'
import { Failed } from '../../shared/failed.tsx'
import { countText } from '../shared/words.ts'
import { gapsOf, proposalPlaces, proposalsSentence } from './words.ts'

const shownGaps = 8

const percent = (value: number): string => `${formatNumber(value, 2)} %`
const avax = (value: string) => (
  <span title={`${exactAmount(value, avaxDecimals)} AVAX`}>{formatAmount(value, avaxDecimals, 4)}</span>
)

function figuresOf({ uptime, reward }: Facts): Figure[] {
  return [
    {
      label: 'Uptime so far',
      value: uptime === undefined ? null : percent(uptime.uptimePerformance),
      note: uptime && `needs ${percent(uptime.requirement)}`,
    },
    {
      label: 'Uptime at the end',
      value:
        uptime === undefined
          ? null
          : `${formatNumber(uptime.lowest, 1)}–${formatNumber(uptime.highest, 1)} %`,
      note: 'worst and best case',
      title: 'From going offline now to no further downtime',
    },
    {
      label: 'Must be up',
      value:
        uptime === undefined ? null : !uptime.isReachable ? (
          <span className="text-bad">out of reach</span>
        ) : uptime.needed <= 0 ? (
          'no longer'
        ) : (
          percent(uptime.needed)
        ),
      note: uptime?.isReachable === true && uptime.needed > 0 && 'of the time left',
    },
    {
      label: 'May be offline for',
      value: uptime === undefined ? null : spanText(uptime.spareSeconds),
      note: 'until its end',
    },
    {
      label: 'Reward at its end, AVAX',
      value: reward === undefined ? null : avax(reward.potential),
      note: reward && `and ${formatAmount(reward.delegationFees, avaxDecimals, 4)} of fees`,
    },
    {
      label: 'If offline now, AVAX',
      value:
        reward === undefined ? null : (
          <span className={reward.ifItStopsNow === '0' ? 'text-bad' : 'text-ok'}>
            {avax(reward.ifItStopsNow)}
          </span>
        ),
      note: reward && (reward.ifItStopsNow === '0' ? 'loses its reward' : 'keeps its reward'),
    },
  ]
}

/** Where the reachable uptimes lie against the requirement: a bar on the way from 0 to 100 %. */
function Reach({ uptime }: { uptime: NonNullable<Facts['uptime']> }) {
  const { lowest, highest, requirement, uptimePerformance } = uptime
  const words = `Bar: possible uptime at the end, ${percent(lowest)} to ${percent(highest)}. The reward needs ${percent(requirement)}.`
  return (
    <figure className="m-0 flex flex-col gap-1">
      <svg role="img" aria-label={words} width="100%" height={44} className="block">
        <rect x="0%" y={12} width="100%" height={12} rx={3} fill="var(--color-hover)" />
        <rect
          x={`${lowest}%`}
          y={12}
          width={`${Math.max(0.4, highest - lowest)}%`}
          height={12}
          rx={3}
          fill={highest < requirement ? 'var(--color-bad)' : 'var(--color-series-3)'}
        />
        <rect
          x={`${Math.max(0, uptimePerformance - 0.15)}%`}
          y={9}
          width="3"
          height={18}
          fill="var(--color-text)"
        />
        <line
          x1={`${requirement}%`}
          x2={`${requirement}%`}
          y1={4}
          y2={32}
          stroke="var(--color-text)"
          strokeDasharray="3 2"
        />
        <text
          x={`${requirement}%`}
          y={43}
          fontSize={11}
          fill="var(--color-muted)"
          textAnchor={requirement > 85 ? 'end' : 'middle'}
        >
          needs {formatNumber(requirement, 2)} %
        </text>
        <text x="0%" y={43} fontSize={11} fill="var(--color-muted)">
          0 %
        </text>
      </svg>
      <figcaption className="text-xs text-muted">{words} Mark: uptime so far.</figcaption>
    </figure>
  )
}

function Proposals({ proposals }: { proposals: NonNullable<Facts['proposals']> }) {
  const words = proposalsSentence(proposals)
  const at = proposalPlaces(proposals)
  const isFew = proposals.proposedCount < proposals.low
  return (
    <figure className="m-0 flex flex-col gap-1">
      <p>{words}</p>
      <svg role="img" aria-label={words} width="100%" height={40} className="block overflow-visible">
        <rect x="0%" y={10} width="100%" height={14} rx={3} fill="var(--color-hover)" />
        <rect
          x={`${at.low}%`}
          y={10}
          width={`${Math.max(0.5, at.high - at.low)}%`}
          height={14}
          fill="var(--color-series-1)"
          fillOpacity={0.3}
        />
        <line
          x1={`${at.expected}%`}
          x2={`${at.expected}%`}
          y1={6}
          y2={28}
          stroke="var(--color-series-1)"
          strokeDasharray="3 2"
          strokeWidth={1.5}
        />
        <circle
          cx={`${at.proposed}%`}
          cy={17}
          r={6}
          fill={isFew ? 'var(--color-bad)' : 'var(--color-text)'}
          stroke="var(--color-surface)"
          strokeWidth={2}
        />
      </svg>
      <figcaption className="text-xs text-muted">
        Dot: actual. Dashed: expected from stake. Band: 95 % range. {formatInteger(proposals.blockCount)}{' '}
        P-Chain blocks since <TimeAgo at={proposals.fromTimestamp} />.
      </figcaption>
    </figure>
  )
}

function Gaps({ sampledFrom, gaps }: ReturnType<typeof gapsOf>) {
  const zone = useZone()
  const whole = gaps.reduce((sum, { fromTimestamp, toTimestamp }) => sum + toTimestamp - fromTimestamp, 0)
  return (
    <>
      <p className="pb-2 text-muted">
        {sampledFrom !== undefined && `Sampled since ${formatTime(sampledFrom, zone)}. `}
        {gaps.length === 0
          ? 'No hour since then is missing.'
          : `${countText(gaps.length, 'gap')}, ${spanText(whole)} in all: missing in the charts, not in the uptime.`}
      </p>
      <ul className="text-xs text-muted">
        {gaps
          .toReversed()
          .slice(0, shownGaps)
          .map(({ fromTimestamp, toTimestamp }) => (
            <li key={fromTimestamp}>
              {formatTime(fromTimestamp, zone)}, for {spanText(toTimestamp - fromTimestamp)}
            </li>
          ))}
        {gaps.length > shownGaps && <li>and {formatInteger(gaps.length - shownGaps)} before</li>}
      </ul>
    </>
  )
}

/** What the present validation of a node can still become. */
export function Outlook({ network, nodeId }: { network: NetworkName; nodeId: string }) {
  const offered = useOffers('getValidatorOutlook', network)
  const { data, error, isPending, refetch } = useQuery({ ...outlookQuery(network, nodeId), enabled: offered })
  if (!offered)
    return (
      <UnsupportedState title="Not offered here">
        Needs the uptimes that your own Ridgeline service samples from its node.
      </UnsupportedState>
    )
  if (isPending) return <SkeletonRows count={14} />
  if (isNotFound(error))
    return (
      <EmptyState title="No current validation">
        This node does not validate the Primary Network now. Past validations are under Validations.
      </EmptyState>
    )
  if (!data) return <Failed title="The outlook could not be loaded." error={error} onRetry={refetch} />
  const { uptime, proposals, endingDelegations, lastProposedTimestamp } = data
  const sampled = gapsOf(data)
  return (
    <div className="flex flex-col gap-6">
      <Figures figures={figuresOf(data)} label="Outlook" />
      {uptime && <Reach uptime={uptime} />}
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
        <Section
          title="Blocks proposed"
          {...(lastProposedTimestamp !== undefined && {
            note: (
              <>
                last one <TimeAgo at={lastProposedTimestamp} />
              </>
            ),
          })}
        >
          {proposals ? (
            <Proposals proposals={proposals} />
          ) : (
            <p className="text-muted">
              Unknown: proposers are read from a node with <code>index-enabled</code>.
            </p>
          )}
        </Section>
        <Section title="Delegations that end next">
          {endingDelegations.length === 0 ? (
            <p className="text-muted">This validation has no delegations.</p>
          ) : (
            <ul className="border-t border-line" aria-label="Delegations that end next">
              {endingDelegations.map(({ txHash, amountDelegated, endTimestamp }) => (
                <li key={txHash} className="flex min-h-9 items-center gap-4 border-b border-line">
                  <span className="w-28 text-xs text-muted">
                    <TimeAgo at={endTimestamp} />
                  </span>
                  <span className="flex-1">
                    <Avax value={amountDelegated} max={2} />
                  </span>
                  <PrimaryTxLink network={network} chain="p-chain" txHash={txHash} />
                </li>
              ))}
            </ul>
          )}
        </Section>
        {(sampled.gaps.length > 0 || sampled.sampledFrom !== undefined) && (
          <Section title="Samples">
            <Gaps {...sampled} />
          </Section>
        )}
      </div>
    </div>
  )
}
