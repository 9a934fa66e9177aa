import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { blockchainGenesisQuery } from '../../api/network/registry.ts'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import type { Column } from '../../components/table/columns.ts'
import { Table } from '../../components/table/table.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { pagedRows } from '../../lib/paging.ts'
import { faceOf, plural } from '../../lib/text.ts'
import { compareGenesis, type ComparedRow } from '../network/blockchain/genesis.ts'
import { Failed } from '../shared/failed.tsx'

const value = (text: string | undefined) =>
  text === undefined ? (
    <span className="text-muted">not set</span>
  ) : (
    <span className={faceOf(text)} title={text}>
      {text}
    </span>
  )

const columns: Column<ComparedRow>[] = [
  {
    id: 'label',
    header: 'Setting',
    always: true,
    width: '260px',
    narrow: 'title',
    cell: ({ label, key }) => <span title={key}>{label}</span>,
    text: ({ key }) => key,
  },
  {
    id: 'genesis',
    header: 'Genesis',
    narrow: 'below',
    cell: ({ one }) => value(one),
    text: ({ one }) => one ?? '',
  },
  {
    id: 'running',
    header: 'Running',
    narrow: 'belowSide',
    cell: ({ other }) => value(other),
    text: ({ other }) => other ?? '',
  },
]
const rowKey = ({ key }: ComparedRow): string => key

/** The differences between the running configuration and the genesis; addresses are compared case-insensitively. */
export function differences(
  genesis: unknown,
  running: Readonly<Record<string, unknown>>,
): { all: number; different: ComparedRow[] } {
  const { upgrades: _upgrades, ...config } = running
  const rows = compareGenesis(genesis, { config }).filter(({ key }) => key.startsWith('config.'))
  const same = (one: string | undefined, other: string | undefined): boolean =>
    one?.toLowerCase() === other?.toLowerCase()
  return { all: rows.length, different: rows.filter(({ one, other }) => !same(one, other)) }
}

type Props = { blockchainId: string; running: Readonly<Record<string, unknown>> }

/** Compares the P-Chain's genesis of a chain with the configuration that its node runs. */
export function GenesisCheck({ blockchainId, running }: Props) {
  const network = useCurrentNetwork()
  const query = useQuery(blockchainGenesisQuery(network, blockchainId))
  const genesis = query.data?.genesisData
  const found = useMemo(
    () => (typeof genesis === 'object' ? differences(genesis, running) : undefined),
    [genesis, running],
  )
  if (query.error && !query.data) return <Failed title="The genesis could not be loaded." query={query} />
  if (!query.data) return <SkeletonRows count={4} />
  if (!found)
    return (
      <EmptyState title="The genesis cannot be read">
        The P-Chain holds it in a form that only its virtual machine knows.
      </EmptyState>
    )
  const { all, different } = found
  if (different.length === 0)
    return (
      <p>
        All {formatInteger(all)} {plural(all, 'setting')} run as the genesis has them.
      </p>
    )
  return (
    <>
      <p className="pb-2 text-muted">
        {formatInteger(different.length)} of {formatInteger(all)} settings differ. Network upgrades and what
        an upgrade file sets are in no genesis.
      </p>
      <Table
        id="node-genesis"
        label="Genesis against running configuration"
        columns={columns}
        rows={pagedRows([different])}
        rowKey={rowKey}
      />
    </>
  )
}
