import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHref } from 'react-router'
import type { NetworkName } from '../../../api/current.ts'
import { vertexGraphQuery } from '../../../api/primary/vertices.ts'
import { ChartMenu } from '../../../components/charts/chart-menu.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { useEmbedCopies } from '../../embed/embed-copies.ts'
import { Failed } from '../../shared/failed.tsx'
import { Button } from '../../../components/controls.tsx'
import { HeightField } from './height-field.tsx'
import { Picture } from './picture.tsx'

/** The selectable numbers of vertices. */
const graphSizes = ['100', '300', '1000', '2000'] as const

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
  const name = 'Vertices of the X-Chain'
  const view = from === undefined ? {} : { from: String(from) }
  const link = useHref(paths.vertices(network, { ...view, ...(size !== '300' && { size }) }))
  const copies = useEmbedCopies(
    'getVerticesPicture',
    paths.vertices(network),
    new URLSearchParams(view),
    name,
  )
  const heights = graph?.vertices.map((vertex) => vertex.vertexHeight) ?? []
  const low = heights.reduce((least, height) => Math.min(least, height), Infinity)
  const high = heights.reduce((max, height) => Math.max(max, height), -Infinity)
  const span = Math.max(1, high - low)
  const { firstHeight, lastHeight } = graph ?? {}
  if (graph && lastHeight === undefined) return <>{empty}</>
  const earlier = graph && firstHeight !== undefined && low > firstHeight
  const later = graph && lastHeight !== undefined && high < lastHeight
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <HeightField label="From height" onChange={(height) => onChange({ from: height })} />
        <span className="flex items-center gap-2">
          <Button
            small
            disabled={!earlier}
            title={earlier ? undefined : 'These are the first heights'}
            onClick={() => onChange({ from: Math.max(firstHeight ?? 0, low - span) })}
          >
            Earlier
          </Button>
          <Button
            small
            disabled={!later}
            title={later ? undefined : 'These are the last heights'}
            onClick={() => onChange({ from: high })}
          >
            Later
          </Button>
        </span>
        <fieldset className="flex items-center gap-2">
          <legend className="sr-only">Most vertices</legend>
          {graphSizes.map((one) => (
            <Button key={one} small aria-pressed={one === size} onClick={() => onChange({ size: one })}>
              {formatInteger(one)}
            </Button>
          ))}
        </fieldset>
        <span className="text-xs text-muted">
          {graph && heights.length > 0
            ? `Heights ${formatInteger(low)} to ${formatInteger(high)} of ${formatInteger(firstHeight ?? 0)} to ${formatInteger(lastHeight ?? 0)}`
            : ''}
        </span>
        <span className="ml-auto flex items-center gap-2">
          <ChartMenu name={name} file={[network, 'vertices']} link={link} copies={copies} />
        </span>
      </div>
      {graph === undefined ? (
        query.error ? (
          <Failed title="The graph could not be loaded." query={query} />
        ) : (
          <Skeleton height={560} />
        )
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
