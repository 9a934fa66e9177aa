import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { InternalTransaction } from '../../../../contract/evm/addresses.ts'
import { addressOverviewQuery } from '../../../api/evm/addresses.ts'
import { statusOf, statusQuery } from '../../../api/chains.ts'
import { useOffers } from '../../../api/current.ts'
import { Amount, RowUnit } from '../../../components/amount.tsx'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { UnsupportedState } from '../../../components/states.tsx'
import { countColumn, dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { plainAmount } from '../../../lib/amounts.ts'
import { untracedWords } from '../untraced.ts'
import { placeTxColumn, placeBlockColumn, placeTimeColumn } from '../place-columns.tsx'
import { Activity, type Subject } from './activity.tsx'
import { rowKey } from './row-key.ts'
import { sideColumns } from './side-columns.tsx'

function columnsOf(subject: Subject): Column<InternalTransaction>[] {
  const { chainId, decimals, symbol } = subject.chain
  return [
    placeTxColumn(chainId, { always: true, narrow: 'title' }),
    placeBlockColumn(chainId),
    placeTimeColumn(),
    {
      id: 'type',
      header: 'Call',
      width: '128px',
      cell: (row) => (
        <span className="rounded-small bg-hover px-1.5 font-mono text-xs leading-5">
          {row.internalTxType}
        </span>
      ),
      text: (row) => row.internalTxType,
    },
    ...sideColumns<InternalTransaction>(subject, { narrow: 'below' }),
    {
      id: 'result',
      header: 'Result',
      width: '112px',
      cell: (row) =>
        row.isReverted ? (
          <Pill state="failed" {...(row.error !== undefined && { title: row.error })}>
            Reverted
          </Pill>
        ) : (
          <Pill state="ok">Done</Pill>
        ),
      text: (row) => (row.isReverted ? (row.error ?? 'reverted') : 'ok'),
    },
    {
      id: 'value',
      header: symbol ? `Value, ${symbol}` : 'Value',
      align: 'right',
      width: '212px',
      narrow: 'belowSide',
      cell: (row) => (
        <>
          {row.isReverted && <span className="mr-2 text-bad md:hidden">Reverted</span>}
          <Amount value={row.value} decimals={decimals} />
          <RowUnit>{symbol}</RowUnit>
        </>
      ),
      text: (row) => plainAmount(row.value, decimals),
    },
    countColumn('gas', 'Gas used', (row) => row.gasUsed, { hidden: true, width: '88px' }),
    {
      id: 'depth',
      header: 'Depth',
      align: 'right',
      hidden: true,
      width: '72px',
      cell: (row) => row.depth ?? dash,
      text: (row) => String(row.depth ?? ''),
    },
  ]
}

/** The internal calls that moved value to or from an address, or created a contract. */
export function InternalsTab({ address, chain }: Subject) {
  const overview = useQuery(addressOverviewQuery(chain.chainId, address))
  const columns = useMemo(() => columnsOf({ address, chain }), [address, chain])
  const offered = useOffers('listChainStatus')
  const status = useQuery({ ...statusQuery(), enabled: offered })
  const untraced = untracedWords(statusOf(status.data, chain.chainId))
  if (overview.isPending) return <SkeletonRows count={20} />
  if (overview.data?.hasTraces === false)
    return (
      <UnsupportedState title="Not traced">
        <p>
          The node of {chain.name} could not trace any block, so internal calls are not known. That does not
          mean that there were none. A node with debug_traceBlockByNumber or trace_block shows them.
        </p>
      </UnsupportedState>
    )
  return (
    <>
      {untraced !== undefined && (
        <p className="pb-3 text-warn">
          The node of {chain.name} could not trace {untraced}: internal calls in them are not known, and
          missing below.
        </p>
      )}
      <Activity
        id="internals"
        address={address}
        chain={chain}
        noun="internal call"
        columns={columns}
        rowKey={rowKey}
        txHash={(row) => row.txHash}
        blockNumber={(row) => row.blockNumber}
        none={
          untraced === undefined
            ? 'No call inside a transaction moved value to or from this address, or created a contract with it.'
            : 'No traced block has a call that moved value to or from this address, or created a contract with it.'
        }
      />
    </>
  )
}
