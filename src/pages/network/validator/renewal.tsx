import { useMemo } from 'react'
import type { ValidationCycle } from '../../../../contract/primary/fields.ts'
import type { Validator } from '../../../../contract/network/validators.ts'
import { useOffers } from '../../../api/current.ts'
import { cyclesQuery } from '../../../api/network/staking.ts'
import { RowUnit } from '../../../components/amount.tsx'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { Section } from '../../../components/section.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { timeColumn } from '../../../components/table/column-kinds.tsx'
import { primaryTxColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { formatNumber, plainAmount } from '../../../lib/amounts.ts'
import { formatDuration } from '../../../lib/time.ts'
import { paths } from '../../../lib/paths.ts'
import { inSentence } from '../../../lib/text.ts'
import { Facts } from '../../shared/facts.tsx'
import { Owners } from '../../shared/owners.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import type { Node } from './node.ts'

type Settings = NonNullable<Validator['autoRenewal']>

const outcomes: Readonly<Record<string, string>> = {
  renewed: 'renewed',
  rewarded: 'left, rewarded',
  unrewarded: 'left, not rewarded',
}

const rowKey = ({ rewardTxHash }: ValidationCycle): string => rewardTxHash

const money = (
  id: string,
  header: string,
  of: (row: ValidationCycle) => bigint,
  more: Partial<Column<ValidationCycle>> = {},
): Column<ValidationCycle> => ({
  id,
  header: `${header}, AVAX`,
  align: 'right',
  cell: (row) => (
    <>
      <Avax value={of(row)} max={4} bare />
      <RowUnit>AVAX</RowUnit>
      <span className="text-muted md:hidden"> {inSentence(header)}</span>
    </>
  ),
  text: (row) => plainAmount(of(row), avaxDecimals),
  ...more,
})

const sum = (own: string, fees: string): bigint => BigInt(own) + BigInt(fees)

const columnsOf = (network: Node['network']): readonly Column<ValidationCycle>[] => [
  timeColumn('end', 'Ended', ({ endTimestamp }) => endTimestamp, {
    always: true,
    width: '120px',
    narrow: 'title',
  }),
  {
    id: 'outcome',
    header: 'Outcome',
    width: '150px',
    narrow: 'below',
    cell: ({ outcome }) => (
      <span className={outcome === 'unrewarded' ? 'text-warn' : ''}>{outcomes[outcome] ?? outcome}</span>
    ),
    text: ({ outcome }) => outcome,
  },
  {
    id: 'duration',
    header: 'Duration',
    align: 'right',
    width: '110px',
    cell: (row) => formatDuration(row.endTimestamp - row.startTimestamp),
    text: (row) => String(row.endTimestamp - row.startTimestamp),
  },
  money('staked', 'Own stake', (row) => BigInt(row.amountStaked)),
  money('paid', 'Paid', (row) => sum(row.validationRewardAmount, row.delegationRewardAmount), {
    narrow: 'side',
  }),
  money(
    'restaked',
    'Staked again',
    (row) => sum(row.restakedValidationRewardAmount, row.restakedDelegationRewardAmount),
    { narrow: 'belowSide' },
  ),
  primaryTxColumn('transaction', 'Transaction', ({ rewardTxHash }) => rewardTxHash, network, 'p-chain', {
    width: '170px',
  }),
]

function Terms({ settings, network }: { settings: Settings; network: Node['network'] }) {
  const restaked = sum(settings.restakedValidationRewardAmount, settings.restakedDelegationRewardAmount)
  return (
    <Facts
      label="Renewal"
      facts={[
        {
          label: 'At the end of the cycle',
          value:
            settings.nextPeriodSeconds === 0
              ? 'It leaves and is paid all its rewards.'
              : `Renews for ${formatDuration(settings.nextPeriodSeconds)} if the uptime requirement is met.`,
        },
        {
          label: 'Staked again',
          help: 'How much of a cycle’s rewards is added to the stake; the rest is paid',
          value: `${formatNumber(Number(settings.autoCompoundPercentage), 4)} % of each cycle’s rewards`,
        },
        restaked > 0n && {
          label: 'Rewards in its stake',
          help: 'Staked again in earlier cycles, and paid when it leaves',
          value: <Avax value={restaked} exact />,
        },
        settings.pendingDelegationRewardAmount !== '0' && {
          label: 'From delegators, so far',
          help: 'Its share of delegations that ended in this cycle',
          value: <Avax value={settings.pendingDelegationRewardAmount} exact />,
        },
        {
          label: 'Config owner',
          value: <Owners addresses={settings.authorityAddresses} network={network} />,
        },
      ]}
    />
  )
}

/** The settings of an auto-renewed validator, and its past cycles. */
export function Renewal({ network, nodeId, term }: Node & { term: Validator }) {
  const offered = useOffers('listValidationCycles')
  const columns = useMemo(() => columnsOf(network), [network])
  const runs = term.validationStatus === 'active'
  return (
    <div className="flex flex-col gap-6 pb-8">
      {runs && term.autoRenewal && (
        <Section title="Renews itself">
          <Terms settings={term.autoRenewal} network={network} />
        </Section>
      )}
      {offered && (
        <Section title="Past cycles">
          <PagedTable
            id="periods"
            label={`Cycles of ${nodeId}`}
            noun="cycle"
            list={{ ...cyclesQuery(network, nodeId), enabled: offered }}
            columns={columns}
            rowKey={rowKey}
            rowHref={(row) => paths.primaryTransaction(network, 'p-chain', row.rewardTxHash)}
            file={`periods-${nodeId}`}
            empty={<EmptyState title="First cycle still running" />}
          />
        </Section>
      )}
    </div>
  )
}
