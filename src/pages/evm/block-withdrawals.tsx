import { useMemo } from 'react'
import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Amount } from '../../components/amount.tsx'
import { Section } from '../../components/section.tsx'
import { countColumn } from '../../components/table/column-kinds.tsx'
import { addressColumn } from '../../components/table/evm-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { WholeTable } from '../../components/table/whole-table.tsx'
import { plainAmount } from '../../lib/amounts.ts'

type Withdrawal = NonNullable<EvmBlockDetails['withdrawals']>[number]

/** Amounts of withdrawals are in gwei (EIP-4895). */
const gweiDigits = 9

function withdrawalColumns({ chainId, decimals, symbol }: ChainFacts): Column<Withdrawal>[] {
  const digits = decimals - gweiDigits
  return [
    countColumn('index', 'Index', ({ index }) => index, { always: true, width: '110px' }),
    countColumn('validator', 'Validator index', ({ validatorIndex }) => validatorIndex, { width: '130px' }),
    addressColumn('address', 'Recipient', ({ address }) => address, chainId, {
      width: '210px',
      narrow: 'title',
    }),
    {
      id: 'amount',
      header: `Amount${symbol ? `, ${symbol}` : ''}`,
      align: 'right',
      width: '150px',
      narrow: 'side',
      cell: ({ amount }) => <Amount value={amount} decimals={digits} />,
      text: ({ amount }) => plainAmount(amount, digits),
    },
  ]
}

const rowKey = ({ index }: Withdrawal): string => index

/** The withdrawals that a block credits from the consensus layer, without transactions. */
export function BlockWithdrawals({
  chain,
  blockNumber,
  withdrawals,
}: {
  chain: ChainFacts
  blockNumber: string
  withdrawals: Withdrawal[]
}) {
  const columns = useMemo(() => withdrawalColumns(chain), [chain])
  return (
    <Section title="Withdrawals">
      <WholeTable
        id="block-withdrawals"
        label="Withdrawals of the block"
        noun="withdrawal"
        columns={columns}
        rows={withdrawals}
        rowKey={rowKey}
        file={`block-${blockNumber}-withdrawals`}
      />
    </Section>
  )
}
