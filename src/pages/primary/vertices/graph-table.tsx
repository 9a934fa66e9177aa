import { useMemo } from 'react'
import type { NetworkName } from '../../../api/current.ts'
import type { GraphVertex } from '../../../../contract/primary/blocks.ts'
import { Hash } from '../../../components/hash.tsx'
import { Pill } from '../../../components/pill.tsx'
import { column, countColumn } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { isoTime } from '../../../lib/time.ts'
import { paths } from '../../../lib/paths.ts'
import { ExactTime } from './exact-time.tsx'

const columnsOf = (network: NetworkName): Column<GraphVertex>[] => [
  {
    id: 'height',
    header: 'Height',
    width: '92px',
    narrow: 'side',
    cell: ({ vertexHeight }) => formatInteger(vertexHeight),
    text: ({ vertexHeight }) => String(vertexHeight),
  },
  {
    id: 'vertex',
    header: 'Vertex',
    always: true,
    narrow: 'title',
    cell: ({ vertexHash, isStop }) => (
      <span className="inline-flex items-center gap-2">
        <Hash value={vertexHash} name="vertex ID" to={paths.vertex(network, vertexHash)} />
        {isStop && (
          <Pill state="ended" title="The last vertex: the chain of blocks continues from it">
            stop
          </Pill>
        )}
      </span>
    ),
    text: ({ vertexHash }) => vertexHash,
  },
  {
    id: 'parents',
    header: 'Parents',
    align: 'right',
    width: '84px',
    narrow: 'below',
    cell: ({ parentHashes }) => (
      <>
        {formatInteger(parentHashes.length)}
        <span className="md:hidden"> {plural(parentHashes.length, 'parent')}</span>
      </>
    ),
    text: ({ parentHashes }) => parentHashes.join(' '),
  },
  countColumn('transactions', 'Transactions', ({ txCount }) => txCount, {
    noun: 'transaction',
    width: '108px',
    narrow: 'belowSide',
  }),
  column(
    'time',
    'Time',
    ({ vertexTimestamp }) => vertexTimestamp,
    { show: (at) => <ExactTime at={at} />, text: isoTime },
    { width: '216px' },
  ),
]

const rowKey = (vertex: GraphVertex): string => vertex.vertexHash

/** The vertices that the picture shows as a table. Focusing a row selects it in the picture. */
export function GraphTable({
  vertices,
  network,
  name,
  onSelect,
}: {
  vertices: readonly GraphVertex[]
  network: NetworkName
  /** The export's file name. */
  name: string
  onSelect: (index: number) => void
}) {
  const columns = useMemo(() => columnsOf(network), [network])
  return (
    <div
      className="min-w-0 xl:[&_table]:min-w-0"
      onFocus={(event) => {
        const row = event.target.closest<HTMLElement>('[data-row]')?.dataset['row']
        if (row !== undefined) onSelect(Number(row))
      }}
    >
      <WholeTable
        id="graph-vertices"
        label="Vertices of the graph"
        noun="vertex"
        nouns="vertices"
        columns={columns}
        rows={vertices}
        rowKey={rowKey}
        rowHref={(vertex) => paths.vertex(network, vertex.vertexHash)}
        file={name}
      />
    </div>
  )
}
