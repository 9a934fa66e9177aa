import { useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { layoutGraph, type GraphLayout } from '../../../../charts/graph/layout.ts'
import type { Size, View } from '../../../../charts/graph/marks.ts'
import type { NetworkName } from '../../../api/current.ts'
import type { VertexGraph } from '../../../api/primary/vertices.ts'
import { useDebounced, useLatest, useNarrow } from '../../../components/hooks.ts'
import { Hash } from '../../../components/hash.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { nodesIn, partOf, type Part } from './draw.ts'
import { GraphCanvas } from './graph-canvas.tsx'
import { GraphTable } from './graph-table.tsx'
import { Legend } from './legend.tsx'
import { Minimap } from './minimap.tsx'

/** The list follows the picture once it has rested this long, in milliseconds. */
const REST = 120

/** The selection as text in a live region, because the picture is not accessible. */
function Chosen({
  layout,
  selected,
  network,
}: {
  layout: GraphLayout
  selected: number | undefined
  network: NetworkName
}) {
  const vertex = selected === undefined ? undefined : layout.nodes[selected]?.vertex
  return (
    <output className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
      {vertex === undefined ? (
        <span className="text-muted">No vertex is chosen.</span>
      ) : (
        <>
          <Hash
            value={vertex.vertexHash}
            name="vertex ID"
            to={paths.vertex(network, vertex.vertexHash)}
            copy
          />
          <span>height {formatInteger(vertex.vertexHeight)}</span>
          <span>
            {formatInteger(vertex.parentHashes.length)} {plural(vertex.parentHashes.length, 'parent')}
          </span>
          <span>
            {formatInteger(vertex.txCount)} {plural(vertex.txCount, 'transaction')}
          </span>
          {vertex.isStop && <span className="text-warn">the stop vertex: blocks go on from here</span>}
        </>
      )}
    </output>
  )
}

const isSame = (a: Part | undefined, b: Part): boolean =>
  a?.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom

/** A part of the graph: its legend, the picture, the minimap, and the list of the vertices that the picture shows. */
export function Picture({ graph, network }: { graph: VertexGraph; network: NetworkName }) {
  const navigate = useNavigate()
  const narrow = useNarrow()
  const layout = useMemo(() => layoutGraph(graph.vertices), [graph])
  const vertices = useMemo(() => layout.nodes.map((node) => node.vertex), [layout])
  const [chosen, setChosen] = useState<{ hash: string }>()
  const [part, setPart] = useState<Part>()
  const [centre, setCentre] = useState<{ x: number; y: number }>()
  const rested = useDebounced(part, REST)
  const at = chosen ? vertices.findIndex((vertex) => vertex.vertexHash === chosen.hash) : -1
  const selected = at < 0 ? undefined : at
  const select = (index: number): void => {
    const vertex = vertices[index]
    if (vertex) setChosen({ hash: vertex.vertexHash })
  }
  const latestSelect = useLatest(select)
  const onView = useCallback((view: View, size: Size): void => {
    const next = partOf(view, size)
    setPart((known) => (isSame(known, next) ? known : next))
  }, [])
  const table = useMemo(() => {
    const indices = rested ? nodesIn(layout, rested) : vertices.map((_, index) => index)
    const listed = indices.flatMap((index) => vertices[index] ?? [])
    return (
      <>
        <p className="text-xs text-muted">
          {listed.length === vertices.length
            ? `The graph shows all ${formatInteger(vertices.length)} vertices, and so does the list.`
            : `The graph shows ${formatInteger(listed.length)} of ${formatInteger(vertices.length)} vertices; the list follows it.`}
        </p>
        <GraphTable
          vertices={listed}
          network={network}
          name={`vertices-${network}-${listed[0]?.vertexHeight ?? 0}`}
          onSelect={(row) => {
            const index = indices[row]
            if (index !== undefined) latestSelect.current(index)
          }}
        />
      </>
    )
  }, [rested, layout, vertices, network, latestSelect])
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {!narrow && <Legend />}
      <GraphCanvas
        layout={layout}
        label={`Graph of ${formatInteger(vertices.length)} vertices`}
        selected={selected}
        onSelect={select}
        onOpen={(index) => {
          const vertex = vertices[index]
          if (vertex) void navigate(paths.vertex(network, vertex.vertexHash))
        }}
        height={narrow ? 320 : 480}
        onView={onView}
        centre={centre}
      />
      <Minimap layout={layout} part={part} onCentre={setCentre} />
      {narrow && <Legend />}
      <Chosen layout={layout} selected={selected} network={network} />
      {layout.hiddenParents > 0 && (
        <p className="text-xs text-muted">
          {formatInteger(layout.hiddenParents)} {plural(layout.hiddenParents, 'edge')} to parents below the
          lowest height shown {layout.hiddenParents === 1 ? 'is' : 'are'} left out.
        </p>
      )}
      {table}
    </div>
  )
}
