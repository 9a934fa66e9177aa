import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate, useParams, type LoaderFunctionArgs } from 'react-router'
import { titleOf } from '../../../contract/pages.ts'
import type { Vertex } from '../../../contract/primary/blocks.ts'
import { networkOf, useCurrentNetwork, useOffers, type NetworkName } from '../../api/current.ts'
import { isUnknown } from '../../api/errors.ts'
import { vertexGraphQuery, vertexQuery } from '../../api/primary/vertices.ts'
import { queryClient } from '../../api/query-client.ts'
import { Figures, loadingFigures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Boundary } from '../../components/part.tsx'
import { Pill } from '../../components/pill.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton, SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { shorten } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { NetworkCrumb, useNetworkLabel } from '../shared/network-crumb.tsx'
import { Facts } from '../shared/facts.tsx'
import { Failed } from '../shared/failed.tsx'
import { useRemember } from '../shared/use-remember.ts'
import { layoutGraph } from '../../../charts/graph/layout.ts'
import { GraphCanvas } from './vertices/graph-canvas.tsx'
import { TransactionIds } from './transaction-ids.tsx'

const below = 3
const around = 60

/** Requests the vertex. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  if (network) void queryClient.prefetchQuery(vertexQuery(network, params['vertexHash'] ?? ''))
  return null
}

const waitingFigures = loadingFigures('Height', 'Accepted', 'Transactions', 'Size')

function Ids({ ids, network, none }: { ids: readonly string[]; network: NetworkName; none: string }) {
  if (ids.length === 0) return <span className="text-muted">{none}</span>
  return (
    <ul className="flex min-w-0 flex-col gap-1">
      {ids.map((id) => (
        <li key={id} className="min-w-0">
          <Hash value={id} name="vertex ID" to={paths.vertex(network, id)} full copy />
        </li>
      ))}
    </ul>
  )
}

/** The graph around a vertex, which alone has its children and shows whether it is the last one. */
function useSurroundings(network: NetworkName, vertex: Vertex | undefined) {
  const drawn = useOffers('getVertexGraph')
  const start = Math.max(0, (vertex?.vertexHeight ?? 0) - below)
  const query = useQuery({
    ...vertexGraphQuery(network, start, around),
    enabled: drawn && vertex !== undefined,
  })
  const graph = query.data
  const layout = useMemo(() => graph && layoutGraph(graph.vertices), [graph])
  const hash = vertex?.vertexHash ?? ''
  const children = graph?.vertices.filter((one) => one.parentHashes.includes(hash))
  const own = graph?.vertices.find((one) => one.vertexHash === hash)
  return { drawn, query, layout, children, isStop: own?.isStop === true }
}

/** One vertex of the X-Chain: its parents and children, the graph around it, its transactions. */
export function Component() {
  const { vertexHash = '' } = useParams()
  const network = useCurrentNetwork()
  const navigate = useNavigate()
  const query = useQuery(vertexQuery(network, vertexHash))
  const vertex = query.data
  const { drawn, query: graph, layout, children, isStop } = useSurroundings(network, vertex)
  const title = titleOf('vertex', { vertexHash: shorten(vertexHash), network: useNetworkLabel(network) })
  const unknown = query.error !== null && !vertex && isUnknown(query.error)
  useRemember(paths.vertex(network, vertexHash), vertex ? title : undefined, 'vertex')
  const selected = layout?.nodes.findIndex((node) => node.vertex.vertexHash === vertexHash)

  return (
    <>
      <NetworkCrumb network={network} chain="x-chain" />
      <PageTitle
        document={unknown ? 'Vertex not found' : title}
        heading={unknown ? 'Vertex not found' : 'Vertex'}
        beside={isStop ? <Pill state="ended">Stop vertex</Pill> : null}
        identity={{ value: vertexHash, name: 'vertex ID' }}
        actions={
          vertex ? (
            <Link
              to={paths.vertices(network, { view: 'graph', from: Math.max(0, vertex.vertexHeight - below) })}
              className="control"
            >
              In the graph
            </Link>
          ) : query.isPending ? null : undefined
        }
      />
      {query.error && !vertex ? (
        unknown ? (
          <EmptyState title="No accepted vertex of the X-Chain has this ID">
            Vertices are from before the X-Chain became a chain of blocks.
          </EmptyState>
        ) : (
          <Failed title="The vertex could not be loaded." query={query} />
        )
      ) : (
        <div className="flex flex-col gap-8">
          {vertex ? (
            <div className="flex flex-col gap-2">
              <Figures
                figures={[
                  { label: 'Height', value: formatInteger(vertex.vertexHeight) },
                  {
                    label: 'Accepted',
                    value: <TimeAgo at={vertex.vertexTimestamp} />,
                  },
                  { label: 'Transactions', value: formatInteger(vertex.txCount) },
                  { label: 'Size', value: formatInteger(vertex.vertexSizeBytes), note: 'bytes' },
                ]}
              />
              <Facts
                label="Vertex"
                facts={[
                  { label: 'Time', value: <TimeAgo at={vertex.vertexTimestamp} both /> },
                  {
                    label: 'Number',
                    help: 'In the order in which vertices were accepted',
                    value: formatInteger(vertex.vertexIndex),
                  },
                  {
                    label: 'Parents',
                    value: <Ids ids={vertex.parentHashes} network={network} none="None: it is a first one" />,
                  },
                  (children || graph.isLoading) && {
                    label: 'Children',
                    // The placeholder has the size of one child, so that the parts below do not shift.
                    value: !children ? (
                      <span className="flex h-5 items-center max-md:h-10">
                        <Skeleton width="60%" />
                      </span>
                    ) : (
                      <Ids
                        ids={children.map((child) => child.vertexHash)}
                        network={network}
                        none={isStop ? 'None: blocks go on from here' : 'None'}
                      />
                    ),
                  },
                ]}
              />
            </div>
          ) : (
            <div className="flex flex-col gap-2">
              <Figures figures={waitingFigures} />
              <SkeletonRows count={10} />
            </div>
          )}
          {vertex && drawn && !graph.error && (
            <Section title="Neighbours" note="from three heights below">
              {layout ? (
                <Boundary title="The graph">
                  <GraphCanvas
                    layout={layout}
                    label="Graph around this vertex"
                    selected={selected === -1 ? undefined : selected}
                    onSelect={(index) => {
                      const hash = layout.nodes[index]?.vertex.vertexHash
                      if (hash !== undefined && hash !== vertexHash)
                        void navigate(paths.vertex(network, hash), { preventScrollReset: true })
                    }}
                    onOpen={() => undefined}
                    height={320}
                  />
                </Boundary>
              ) : (
                <Skeleton height={360} />
              )}
            </Section>
          )}
          {vertex && (
            <Section title="Transactions">
              <Boundary title="The transactions">
                <TransactionIds
                  key={vertexHash}
                  ids={vertex.transactions}
                  network={network}
                  chain="x-chain"
                  name={`vertex-${vertexHash}-transactions`}
                  empty={<EmptyState title="This vertex is empty">It holds no transaction.</EmptyState>}
                />
              </Boundary>
            </Section>
          )}
        </div>
      )}
    </>
  )
}
