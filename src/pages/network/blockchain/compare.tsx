import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import type { NetworkName } from '../../../api/current.ts'
import {
  blockchainChoicesQuery,
  blockchainGenesisQuery,
  type BlockchainGenesis,
} from '../../../api/network/registry.ts'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { onePage, pagedRows } from '../../../lib/paging.ts'
import { exactAmount } from '../../../lib/amounts.ts'
import { faceOf, shorten } from '../../../lib/text.ts'
import { chainNameOf } from '../blockchain-columns.tsx'
import { Failed } from '../../shared/failed.tsx'
import { Button, Select } from '../../../components/controls.tsx'
import { compareGenesis, type ComparedRow } from './genesis.ts'

const differs = (row: ComparedRow): boolean => row.one !== row.other

const cell = (text: string | undefined, marked: boolean) =>
  text === undefined ? (
    <span className="text-muted">not set</span>
  ) : (
    <span className={`${faceOf(text)} ${marked ? 'rounded-small bg-mark px-1' : ''}`} title={text}>
      {text}
    </span>
  )

const columnsOf = (one: string, other: string): Column<ComparedRow>[] => [
  {
    id: 'setting',
    header: 'Setting',
    always: true,
    width: '260px',
    narrow: 'title',
    cell: ({ label, key, group }) => (
      <span title={key}>
        {label} <span className="text-xs text-muted">{group}</span>
      </span>
    ),
    text: ({ key }) => key,
  },
  {
    id: 'one',
    header: one,
    narrow: 'below',
    cell: (row) => cell(row.one, differs(row)),
    text: (row) => row.one ?? '',
  },
  {
    id: 'other',
    header: other,
    narrow: 'belowSide',
    cell: (row) => cell(row.other, differs(row)),
    text: (row) => row.other ?? '',
  },
  {
    id: 'same',
    header: 'Comparison',
    width: '96px',
    align: 'right',
    narrow: 'side',
    cell: (row) => <span className="text-xs text-muted">{differs(row) ? 'differs' : 'same'}</span>,
    text: (row) => (differs(row) ? 'differs' : 'same'),
  },
]

const rowKey = (row: ComparedRow): string => row.key

function Rows({ one, other }: { one: BlockchainGenesis; other: BlockchainGenesis }) {
  const [all, setAll] = useState(false)
  const [left, right] = [chainNameOf(one.blockchain), chainNameOf(other.blockchain)]
  const columns = useMemo(() => columnsOf(left, right), [left, right])
  const rows = useMemo(() => {
    const settings = compareGenesis(one.genesisData, other.genesisData)
    const facts: ComparedRow[] = [
      { key: 'vmId', label: 'Virtual machine', one: one.blockchain.vmId, other: other.blockchain.vmId },
      {
        key: 'alloc.count',
        label: 'Allocations',
        one: String(one.allocationCount),
        other: String(other.allocationCount),
      },
      {
        key: 'alloc.sum',
        label: 'Allocated',
        one: exactAmount(one.allocated, 18),
        other: exactAmount(other.allocated, 18),
      },
    ].map((fact) => ({ ...fact, group: 'Chain' as const }))
    return [...facts, ...settings]
  }, [one, other])
  const shown = all ? rows : rows.filter(differs)
  const count = rows.filter(differs).length
  return (
    <>
      <DataTable
        id="compared-genesis"
        label={`Settings of ${left} and ${right}`}
        noun="setting"
        columns={columns}
        rows={pagedRows([shown])}
        rowKey={rowKey}
        tools={
          <>
            <span>
              {count} of {rows.length} settings differ
            </span>
            <Button small aria-pressed={!all} onClick={() => setAll((now) => !now)}>
              Differences only
            </Button>
          </>
        }
        source={{
          name: `compared-${one.blockchain.blockchainId}-${other.blockchain.blockchainId}`,
          pages: () => onePage(rows),
        }}
      />
      {shown.length === 0 && (
        <EmptyState title="Identical genesis">Every setting of both is the same.</EmptyState>
      )}
    </>
  )
}

/** Compares a chain's genesis with that of another one, which is in the URL. */
export function Compare({
  network,
  genesis,
  other,
  onChoose,
}: {
  network: NetworkName
  genesis: BlockchainGenesis
  other: string
  onChoose: (blockchainId: string) => void
}) {
  const id = useId()
  const own = genesis.blockchain.blockchainId
  const chains = useQuery(blockchainChoicesQuery(network))
  const others = (chains.data ?? []).filter((chain) => chain.blockchainId !== own)
  // Most people ask how two EVM chains differ.
  const usual = others.find(({ evmChainId }) => evmChainId !== undefined) ?? others[0]
  const second = other === '' ? (usual?.blockchainId ?? '') : other
  const query = useQuery({ ...blockchainGenesisQuery(network, second), enabled: second !== '' })
  return (
    <Section title="Compared with another chain">
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <label htmlFor={id} className="text-muted">
          Compare with
        </label>
        <Select
          id={id}
          value={second}
          className="max-w-full max-md:w-full"
          options={others.map((chain) => ({
            id: chain.blockchainId,
            label: `${chainNameOf(chain)} · ${shorten(chain.blockchainId)}`,
          }))}
          onChange={onChoose}
        />
      </div>
      {chains.error && <Failed title="The other blockchains could not be loaded." query={chains} />}
      {chains.data && second === '' ? (
        <EmptyState title="No other blockchain">The network has only this one.</EmptyState>
      ) : query.data ? (
        <Rows one={genesis} other={query.data} />
      ) : query.error ? (
        <Failed title="The other chain could not be loaded." query={query} />
      ) : (
        <SkeletonRows count={10} />
      )}
    </Section>
  )
}
