import { titleOf } from '../../../contract/pages.ts'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import { clockText, DAY } from '../../../charts/series/periods.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import type { ChainFacts } from '../../api/current.ts'
import { unusualText, usualWords } from '../../lib/series/usual.ts'
import { plural } from '../../lib/text.ts'
import { lateText } from './late-chains.ts'
import type { AllTraffic } from './traffic.ts'

/** The chains that are behind their head: what was counted of them today is not all. */
export const behind = (
  status: readonly ChainStatus[] | undefined,
  ids: readonly string[],
): readonly ChainStatus[] =>
  (status ?? []).filter(({ chainId, state }) => ids.includes(chainId) && state !== 'live')

/** The heading of the overview, with the name of the network. */
export function OverviewTitle({ label }: { label: string | undefined }) {
  return (
    <PageTitle
      document={titleOf('overview')}
      heading="Overview"
      beside={<span className="text-muted">{label}</span>}
    />
  )
}

/** The sentence of the last 24 hours of `count` chains. Exported for its test. */
export function sentenceOf(
  { all }: Pick<AllTraffic, 'all'>,
  count: number,
  lagging: readonly ChainStatus[],
): string | undefined {
  if (all === undefined) return undefined
  const { last, usual } = all
  // A chain whose index ends before these hours adds nothing to them.
  const begin = last === null ? Infinity : last.to - DAY
  const counted = count - lagging.filter(({ indexedTimestamp = 0 }) => indexedTimestamp < begin).length
  if (last === null || counted === 0) return `The last 24 hours are not indexed yet. ${lateText(lagging)}`
  const made = `${formatInteger(last.count)} ${plural(last.count, 'transaction')} on ${formatInteger(counted)} ${plural(counted, 'chain')} in the 24 hours to ${clockText(last.to)} UTC`
  if (lagging.length > 0)
    return `${made}; ${lagging.map(({ chainName }) => chainName).join(', ')} ${lagging.length === 1 ? 'is' : 'are'} not at the head, so more may come.`
  return usual === null
    ? `${made}. Fewer than four weeks are indexed, too few to say what is usual.`
    : `${made}: ${usualWords(usual)} (${usual.weeks}-week average).`
}

type Props = {
  traffic: AllTraffic
  /** The chains that were counted. */
  chains: readonly ChainFacts[]
  /** Those of them that are behind their head. */
  lagging: readonly ChainStatus[]
  /** Why the chains are not known. */
  error: Error | null
}

/** What the last 24 hours were against the usual, and which chains are far from theirs. */
export function TodaySentence({ traffic, chains, lagging, error }: Props) {
  const unusual =
    lagging.length > 0
      ? ''
      : unusualText(
          chains.flatMap(({ chainId, name }) => {
            const own = traffic.chains.find((one) => one?.chainId === chainId)
            return own === undefined ? [] : [{ name, usual: own.usual }]
          }),
        )
  return (
    <p className="-mt-2 mb-4 min-h-10 max-md:min-h-20">
      {sentenceOf(traffic, chains.length, lagging) ??
        (traffic.error || error ? (
          <span className="text-muted">The transactions of the last 24 hours could not be loaded.</span>
        ) : (
          <Skeleton width="min(560px, 90%)" />
        ))}{' '}
      {traffic.all !== undefined && unusual}
    </p>
  )
}
