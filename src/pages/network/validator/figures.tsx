import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Validator } from '../../../../contract/network/validators.ts'
import { useOffers } from '../../../api/current.ts'
import { isNotFound } from '../../../api/errors.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { validationsQuery } from '../../../api/network/validators.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { Figures, type Figure } from '../../../components/figures.tsx'
import { inWords } from '../../../components/states.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { exactAmount, formatAmount, formatInteger, formatNumber } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { leadingTerm } from './leading-term.ts'
import type { Node } from './node.ts'

/** The main term of a node: null if it has none, undefined while terms load or if they failed to. */
export function useLeadingTerm({ network, nodeId }: Node): {
  term: Validator | null | undefined
  error: Error | null
} {
  const { data, error } = useInfiniteQuery(validationsQuery(network, nodeId))
  const term = data && (leadingTerm(data.pages.flatMap((page) => page.validators)) ?? null)
  return { term, error }
}

const avax = (value: string | undefined) =>
  value === undefined ? null : (
    <span title={`${exactAmount(value, avaxDecimals)} AVAX`}>{formatAmount(value, avaxDecimals, 2)}</span>
  )

/** The figures of a node's main term, and the last sample of the service's node. */
export function HeadFigures(node: Node) {
  const { term, error } = useLeadingTerm(node)
  const offered = useOffers('getNodeFeed')
  const { data: feed, error: feedError } = useQuery({
    ...nodeFeedQuery(node.network, node.nodeId),
    enabled: offered,
  })
  const of = (pick: (term: Validator) => ReactNode): ReactNode =>
    term ? pick(term) : term === null ? inWords('none') : undefined
  const running = term?.validationStatus === 'active'
  const ofTerm: Figure[] = [
    {
      label: 'Own stake, AVAX',
      value: of((one) => avax(one.amountStaked)),
      note: term?.stakePercentage !== undefined && `${formatNumber(term.stakePercentage, 4)} % of all`,
    },
    {
      label: 'Delegated, AVAX',
      value: of((one) => avax(one.amountDelegated)),
      note:
        term?.delegatorCount !== undefined &&
        `${formatInteger(term.delegatorCount)} ${plural(term.delegatorCount, 'delegator')}`,
    },
    {
      label: 'Capacity left, AVAX',
      value: of((one) => avax(one.delegationCapacity)),
      note: term?.delegationFee !== undefined && `fee ${formatNumber(Number(term.delegationFee), 4)} %`,
    },
    {
      label: 'Uptime',
      value: of((one) =>
        one.uptimePerformance === undefined ? null : `${formatNumber(one.uptimePerformance, 2)} %`,
      ),
      note:
        running &&
        feed?.isConnected !== undefined &&
        (feed.isConnected ? 'connected now' : 'not connected now'),
    },
    {
      label: term && !running && term.validationStatus !== 'pending' ? 'Ended' : 'Ends',
      value: of((one) => <TimeAgo at={one.removeTimestamp ?? one.endTimestamp} />),
      note:
        (term?.validationStatus === 'pending' && 'has not begun') ||
        (running &&
          term.autoRenewal !== undefined &&
          (term.autoRenewal.nextPeriodSeconds > 0 ? 'renews itself' : 'leaves then')),
    },
  ]
  const figures: Figure[] = [
    ...ofTerm.map((figure) => ({ ...figure, error, note: term === null ? 'never validated' : figure.note })),
    {
      label: 'Last block proposed',
      value:
        feed?.lastProposedTimestamp === undefined ? (
          // Of a node that has never validated there is no feed.
          feed || isNotFound(feedError) ? (
            inWords('none so far')
          ) : undefined
        ) : (
          <TimeAgo at={feed.lastProposedTimestamp} />
        ),
      error: feedError,
      note:
        feed?.lastProposedBlock === undefined
          ? (feed || isNotFound(feedError)) && 'none is known'
          : `P-Chain block ${formatInteger(feed.lastProposedBlock)}`,
    },
  ]
  return <Figures figures={offered ? figures : figures.slice(0, 5)} />
}
