import { useEffect, useState } from 'react'
import { metricCatalogue, type MetricName } from '../../../contract/metrics/catalogue.ts'
import {
  networkMetricCatalogue,
  type NetworkMetricName,
} from '../../../contract/metrics/network-catalogue.ts'
import { isSampled } from '../../../contract/metrics/network-samples.ts'
import { metricSql } from '../../../contract/sql/metric-sql.ts'
import { periodLabel, type Interval } from '../../../charts/series/periods.ts'
import { indexAt, type SeriesPoint } from '../../../charts/series/series.ts'
import { exactText, withUnit, type Unit } from '../../../charts/series/units.ts'
import { useOffers, type NetworkName } from '../../api/current.ts'
import { proveOfChain, proveOfNetwork, type Proof } from '../../api/metrics/proof.ts'
import { useCrosshairStore } from '../../components/charts/crosshair.ts'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import { Pill } from '../../components/pill.tsx'
import { useRequest } from '../../components/use-request.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { Failed } from '../shared/failed.tsx'
import { Button } from '../../components/controls.tsx'
import type { SeriesInfo } from './series-info.ts'
import type { Subject } from './subject.tsx'
import { HostedComparison } from './hosted-comparison.tsx'

type Props = {
  subject: Subject
  info: SeriesInfo
  interval: Interval
  /** The points of the chart; their last one is meant until the cross-hair is at another. */
  points: readonly SeriesPoint[]
  now: number
}

/** How a series is counted: a link to its statement, and one point of it counted again. */
export function Counted({ subject, info, interval, points, now }: Props) {
  const isOffered = useOffers('proveMetric')
  const pointed = usePointed(points, interval)
  const { chainId } = subject.facts
  const isChain = subject.kind === 'chain'
  const metrics = [...new Set(info.needs.map(({ metric }) => metric))]
  // A group of chains has no rows of its own.
  const canProve = isChain ? /^\d+$/.test(chainId) : !metrics.some(isSampled)
  const statement =
    isChain && !info.derived ? metricSql(info.name as MetricName, chainId, interval) : undefined
  const counting = useRequest(async (timestamp: number, signal) =>
    Promise.all(
      metrics.map(async (metric) => ({
        title: titleOf(metric),
        proof: await (isChain
          ? proveOfChain(chainId, metric as MetricName, { timestamp, timeInterval: interval }, signal)
          : proveOfNetwork(
              chainId as NetworkName,
              metric as NetworkMetricName,
              { timestamp, timeInterval: interval },
              signal,
            )),
      })),
    ),
  )
  if (!isOffered) return null
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2">
        {canProve && pointed !== undefined && (
          <Button small disabled={counting.isPending} onClick={() => counting.mutate(pointed)}>
            {counting.isPending ? 'Counting again' : 'How was this counted?'}
          </Button>
        )}
        {canProve && pointed !== undefined && (
          <span className="text-muted">{periodLabel(pointed, interval, now)}</span>
        )}
        {!isChain && !canProve && (
          <span className="text-muted">
            Sampled from the node: blocks do not contain it, so it can’t be counted again.
          </span>
        )}
        {statement !== undefined && (
          <Link className="link reach" to={paths.sql({ q: statement })}>
            As SQL
          </Link>
        )}
      </div>
      {counting.error && (
        <Failed
          title="The point could not be counted again."
          error={counting.error}
          onRetry={() => counting.variables !== undefined && counting.mutate(counting.variables)}
        />
      )}
      {counting.data?.map(({ title, proof }) => (
        <ProofFacts
          key={title}
          title={`${title}, ${periodLabel(proof.timestamp, interval, now)}`}
          proof={proof}
          // What a derived series is made of has other units.
          unit={info.derived ? { symbol: '', decimals: 0 } : info.unit(subject.facts)}
        />
      ))}
      {counting.data && isChain && !info.derived && (
        <HostedComparison
          chainId={chainId}
          metric={info.name as MetricName}
          unit={info.unit(subject.facts)}
          interval={interval}
          points={points}
          now={now}
        />
      )}
    </div>
  )
}

const titleOf = (metric: string): string =>
  (
    ({ ...metricCatalogue, ...networkMetricCatalogue }) as Readonly<
      Record<string, { readonly title: string }>
    >
  )[metric]?.title ?? metric

/** The point that the cross-hair was last at, else the newest. */
function usePointed(points: readonly SeriesPoint[], interval: Interval): number | undefined {
  const store = useCrosshairStore()
  const [time, setTime] = useState<number>()
  useEffect(
    () =>
      store.subscribe(() => {
        const at = store.get().time
        if (at !== null) setTime(points[indexAt(points, at, interval)]?.timestamp)
      }),
    [store, points, interval],
  )
  return points.some(({ timestamp }) => timestamp === time) ? time : points.at(-1)?.timestamp
}

function ProofFacts({ title, proof, unit }: { title: string; proof: Proof; unit: Unit }) {
  const valueOf = (value: number | bigint): string => withUnit(exactText(value, unit.decimals), unit)
  const facts: [name: string, value: React.ReactNode][] = [
    ['Stored', valueOf(proof.stored)],
    ['Counted again', valueOf(proof.counted)],
    ...(proof.firstBlock === undefined || proof.lastBlock === undefined
      ? []
      : [
          ['Blocks', `${formatInteger(proof.firstBlock)} to ${formatInteger(proof.lastBlock)}`] as [
            string,
            string,
          ],
        ]),
    ['Rows', `${formatInteger(proof.rows)}, each ${proof.rowForm}`],
    ['SHA-256 of the rows', <Hash key="hash" value={proof.rowsHash} name="hash of the rows" copy />],
    ['As of block', formatInteger(proof.lastIndexedBlock)],
    ['Took', `${formatInteger(proof.elapsedMilliseconds)} ms`],
  ]
  return (
    <section aria-label={`How it was counted: ${title}`} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Pill state={proof.isEqual ? 'ok' : 'failed'}>{proof.isEqual ? 'Equal' : 'Not equal'}</Pill>
        <span>{title}</span>
        <Link className="link" to={paths.sql({ q: proof.sql })}>
          Open the statement in SQL
        </Link>
      </div>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <pre className="overflow-x-auto border-l border-line pl-3 font-mono text-mono whitespace-pre-wrap">
        {proof.sql}
      </pre>
    </section>
  )
}
