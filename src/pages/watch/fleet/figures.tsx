import type { FleetPage } from '../../../api/watch/fleets.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { Figures, type Figure } from '../../../components/figures.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { exactAmount, formatAmount } from '../../../lib/amounts.ts'
import { countText } from '../shared/words.ts'
import { accrued } from './sentence.ts'

const avax = (value: string) => (
  <span title={`${exactAmount(value, avaxDecimals)} AVAX`}>{formatAmount(value, avaxDecimals, 2)}</span>
)

/** The sums of a fleet. */
export function FleetFigures({ page: { sums } }: { page: FleetPage }) {
  const { firstEndTimestamp, remainingBalance } = sums
  const figures: Figure[] = [
    { label: 'Own stake, AVAX', value: avax(sums.amountStaked) },
    {
      label: 'Delegated, AVAX',
      value: avax(sums.amountDelegated),
      note: countText(sums.delegatorCount, 'delegation'),
    },
    {
      label: 'Rewards so far, AVAX',
      value: avax(sums.earnedReward),
      note: `of ${formatAmount(sums.potentialReward, avaxDecimals, 2)} at the end`,
      title: accrued,
    },
    {
      label: 'First stake ends',
      value: firstEndTimestamp === undefined ? null : <TimeAgo at={firstEndTimestamp} />,
    },
  ]
  const l1: Figure[] =
    BigInt(remainingBalance) === 0n ? [] : [{ label: 'L1 balances, AVAX', value: avax(remainingBalance) }]
  return <Figures figures={[...figures, ...l1]} label="Sums of the fleet" />
}
