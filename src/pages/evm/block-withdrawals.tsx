import { useMemo } from 'react'
import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { Section } from '../../components/section.tsx'
import type { Column } from '../../components/table/columns.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatInteger, plainAmount } from '../../lib/amounts.ts'
import { pagedRows } from '../../lib/paging.ts'

type Withdrawal = NonNullable<EvmBlockDetails['withdrawals']>[number]

/** Amounts of withdrawals are in gwei (EIP-4895). */
const gweiDigits = 9

function withdrawalColumns({ chainId, decimals, symbol }: ChainFacts): Column<Withdrawal>[] {
  const digits = decimals - gweiDigits
  return [
    {
      id: 'index',
      header: 'Index',
      always: true,
      align: 'right',
      width: '110px',
      cell: ({ index }) => formatInteger(index),
      text: ({ index }) => index,
    },
    {
      id: 'validator',
      header: 'Validator index',
      align: 'right',
      width: '130px',
      cell: ({ validatorIndex }) => formatInteger(validatorIndex),
      text: ({ validatorIndex }) => validatorIndex,
    },
    {
      id: 'address',
      header: 'Recipient',
      width: '210px',
      narrow: 'title',
      cell: ({ address }) => <Address address={address} chainId={chainId} />,
      text: ({ address }) => address,
    },
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

/** What a block credits from the consensus layer, without a transaction. */
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
  const rows = useMemo(() => pagedRows([withdrawals]), [withdrawals])
  return (
    <Section title="Withdrawals" note={formatInteger(withdrawals.length)}>
      <DataTable
        id="block-withdrawals"
        label="Withdrawals of the block"
        noun="withdrawal"
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        source={{
          name: `block-${blockNumber}-withdrawals`,
          pages: async function* () {
            yield withdrawals
          },
        }}
      />
    </Section>
  )
}
