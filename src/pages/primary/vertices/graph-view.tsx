import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { NetworkName } from '../../../api/current.ts'
import { vertexGraphQuery, type VertexGraph } from '../../../api/primary/vertices.ts'
import { useNarrow } from '../../../components/hooks.ts'
import { Hash } from '../../../components/hash.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { Failed } from '../../shared/failed.tsx'
import { GraphCanvas } from './graph-canvas.tsx'
import { GraphTable } from './graph-table.tsx'
import { HeightField } from './height-field.tsx'
import { layoutGraph, type GraphLayout } from './layout.ts'

/** The selectable numbers of vertices. */
export const graphSizes = ['100', '300', '1000', '2000'] as const

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
            name="vertex id"
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

/** The picture of a part of the graph, with the selection below it and its table. */
function Picture({ graph, network }: { graph: VertexGraph; network: NetworkName }) {
  const navigate = useNavigate()
  const narrow = useNarrow()
  const layout = useMemo(() => layoutGraph(graph.vertices), [graph])
  const vertices = useMemo(() => layout.nodes.map((node) => node.vertex), [layout])
  const [chosen, setChosen] = useState<{ hash: string }>()
  const at = chosen ? vertices.findIndex((vertex) => vertex.vertexHash === chosen.hash) : -1
  const selected = at < 0 ? undefined : at
  const select = (index: number): void => {
    const vertex = vertices[index]
    if (vertex) setChosen({ hash: vertex.vertexHash })
  }
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_480px]">
      <div className="flex min-w-0 flex-col gap-2 xl:sticky xl:top-18 xl:self-start">
        <GraphCanvas
          layout={layout}
          label={`Graph of ${formatInteger(vertices.length)} vertices`}
          selected={selected}
          onSelect={select}
          onOpen={(index) => {
            const vertex = vertices[index]
            if (vertex) void navigate(paths.vertex(network, vertex.vertexHash))
          }}
          height={Math.min(narrow ? 360 : 560, Math.max(280, layout.height + 180))}
        />
        <Chosen layout={layout} selected={selected} network={network} />
        {layout.hiddenParents > 0 && (
          <p className="text-xs text-muted">
            {formatInteger(layout.hiddenParents)} {plural(layout.hiddenParents, 'edge')} to parents below the
            lowest height shown {layout.hiddenParents === 1 ? 'is' : 'are'} left out.
          </p>
        )}
      </div>
      <GraphTable
        vertices={vertices}
        network={network}
        name={`vertices-${network}-${vertices[0]?.vertexHeight ?? 0}`}
        onSelect={select}
      />
    </div>
  )
}

type Props = {
  network: NetworkName
  /** The lowest shown height; the latest vertices without one. */
  from: number | undefined
  size: (typeof graphSizes)[number]
  onChange: (patch: { from?: number | undefined; size?: (typeof graphSizes)[number] }) => void
  /** Shown when the chain has no vertex. */
  empty: ReactNode
}

/** The graph of vertices from a height up, with links to earlier and later ones; its position is in the URL. */
export function GraphView({ network, from, size, onChange, empty }: Props) {
  const query = useQuery(vertexGraphQuery(network, from, Number(size)))
  const graph = query.data
  const heights = graph?.vertices.map((vertex) => vertex.vertexHeight) ?? []
  const low = heights.reduce((least, height) => Math.min(least, height), Infinity)
  const high = heights.reduce((most, height) => Math.max(most, height), -Infinity)
  const span = Math.max(1, high - low)
  const { firstHeight, lastHeight } = graph ?? {}
  if (query.error && !graph)
    return (
      <Failed
        title="The graph could not be loaded."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  if (graph && lastHeight === undefined) return <>{empty}</>
  const earlier = graph && firstHeight !== undefined && low > firstHeight
  const later = graph && lastHeight !== undefined && high < lastHeight
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <HeightField label="From height" onChange={(height) => onChange({ from: height })} />
        <span className="flex items-center gap-2">
          <button
            type="button"
            className="control control-small"
            disabled={!earlier}
            onClick={() => onChange({ from: Math.max(firstHeight ?? 0, low - span) })}
          >
            Earlier
          </button>
          <button
            type="button"
            className="control control-small"
            disabled={!later}
            onClick={() => onChange({ from: high })}
          >
            Later
          </button>
        </span>
        <fieldset className="flex items-center gap-2">
          <legend className="sr-only">Most vertices</legend>
          {graphSizes.map((one) => (
            <button
              key={one}
              type="button"
              className="control control-small"
              aria-pressed={one === size}
              onClick={() => onChange({ size: one })}
            >
              {formatInteger(one)}
            </button>
          ))}
        </fieldset>
        <span className="text-xs text-muted">
          {graph && heights.length > 0
            ? `Heights ${formatInteger(low)} to ${formatInteger(high)} of ${formatInteger(firstHeight ?? 0)} to ${formatInteger(lastHeight ?? 0)}`
            : ''}
        </span>
      </div>
      {graph === undefined ? (
        <Skeleton height={560} />
      ) : heights.length === 0 ? (
        <p className="border-y border-line py-6 text-muted">
          No vertex is at height {formatInteger(from ?? 0)} or above. The highest is{' '}
          <Link to={paths.vertices(network, { view: 'graph' })} className="link">
            {formatInteger(lastHeight ?? 0)}
          </Link>
          .
        </p>
      ) : (
        <Picture graph={graph} network={network} />
      )}
    </div>
  )
}
