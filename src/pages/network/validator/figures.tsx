import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import type { Validator } from '../../../../contract/network/validators.ts'
import { useIsOwn } from '../../../api/own-profile.ts'
import { useProfile } from '../../../api/current.ts'
import { yearlyRewardsQuery } from '../../../api/network/rewards.ts'
import { validationsQuery } from '../../../api/network/validators.ts'
import { currency } from '../../../api/tokens/balances-currency.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { Figures, type Figure } from '../../../components/figures.tsx'
import { useStore, useZone } from '../../../components/hooks.ts'
import { inWords } from '../../../components/states.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { exactAmount, formatAmount, formatInteger, formatNumber } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { formatDay } from '../../../lib/time.ts'
import { leadingTerm } from './leading-term.ts'
import type { Node } from './node.ts'
import { ownRewards } from './reward-kinds.ts'

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

/** What a node has earned for itself, in nAVAX: its own rewards and its fees, of all its validations. */
function useOwnRewards({ network, nodeId }: Node) {
  const isOwn = useIsOwn()
  const code = useStore(currency)
  const of = useMemo(() => ownRewards(nodeId), [nodeId])
  const isKnown = useProfile() !== undefined
  const { data, error } = useQuery({ ...yearlyRewardsQuery(network, of, code), enabled: isOwn && isKnown })
  return { isOwn, earned: data?.reduce((sum, { reward }) => sum + BigInt(reward.amount), 0n), error }
}

/** The figures of a node's main validation: what it has at stake, what it earns, and what a delegator would ask. */
export function HeadFigures(node: Node) {
  const { term, error } = useLeadingTerm(node)
  const zone = useZone()
  const rewards = useOwnRewards(node)
  const of = (pick: (term: Validator) => ReactNode): ReactNode =>
    term ? pick(term) : term === null ? inWords('none') : undefined
  const isOver = term && term.validationStatus !== 'active' && term.validationStatus !== 'pending'
  const expected = term && !isOver ? term.potentialRewards : undefined
  const room: Figure = {
    label: 'Room for delegators, AVAX',
    value: of((one) => avax(one.delegationCapacity)),
    note: term?.delegationFee !== undefined && `fee ${formatNumber(Number(term.delegationFee), 4)} %`,
  }
  const figures: Figure[] = [
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
    ...(isOver ? [] : [room]),
    {
      label: isOver ? 'Ended' : 'Ends',
      value: of((one) => formatDay(one.removeTimestamp ?? one.endTimestamp, zone)),
      note: term && (
        <>
          <TimeAgo at={term.removeTimestamp ?? term.endTimestamp} />
          {term.validationStatus === 'active' &&
            term.autoRenewal !== undefined &&
            (term.autoRenewal.nextPeriodSeconds > 0 ? ', renews itself' : ', leaves then')}
        </>
      ),
    },
  ]
  const earned: Figure = {
    label: 'Rewards paid so far, AVAX',
    value:
      term === null
        ? inWords('none')
        : rewards.earned === undefined
          ? undefined
          : avax(String(rewards.earned)),
    error: rewards.error,
    title: 'Its own rewards and fees of all validations, without its delegators’',
    note:
      expected &&
      `${formatAmount(
        BigInt(expected.validationRewardAmount) + BigInt(expected.delegationRewardAmount),
        avaxDecimals,
        2,
      )} more expected`,
  }
  const all = figures.map((figure) => ({
    ...figure,
    error,
    note: term === null ? '' : figure.note,
  }))
  // What it was paid is history, which a validation that is not indexed does not have.
  return <Figures figures={rewards.isOwn && term?.isIndexed !== false ? [...all, earned] : all} />
}
