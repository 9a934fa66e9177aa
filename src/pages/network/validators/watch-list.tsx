import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { offers, useProfile, type NetworkName } from '../../../api/current.ts'
import { isUnsupported } from '../../../api/errors.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { Avax } from '../../../components/asset-amount.tsx'
import { Button, Form, Input } from '../../../components/controls.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { useStore } from '../../../components/hooks.ts'
import { CloseIcon } from '../../../components/icons.ts'
import { NodeId } from '../../../components/node-id.tsx'
import { Pill } from '../../../components/pill.tsx'
import { Section } from '../../../components/section.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { dash } from '../../../components/table/column-kinds.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { toggleWatched, watchList, withMore, type Watched } from '../../../lib/storage/watch-list.ts'
import { Uptime } from './columns.tsx'
import { FeedLinks } from './feed-links.tsx'
import { scrapeConfig, seriesPath } from './feeds.ts'
import { isNodeId } from './is-node-id.ts'
import { StatusPill } from './status-pill.tsx'

const watchedNode = (network: NetworkName, nodeId: string): Watched => ({
  kind: 'validator',
  place: network,
  id: nodeId,
})

function Row({ network, nodeId, feeds }: { network: NetworkName; nodeId: string; feeds: boolean }) {
  const { data, error, isPending } = useQuery({ ...nodeFeedQuery(network, nodeId), enabled: feeds })
  const cell = 'px-3 py-2 max-md:hidden'
  const known = <T,>(value: T | undefined, shown: (value: T) => React.ReactNode) =>
    value === undefined ? isPending && feeds ? <Skeleton width={56} /> : dash : shown(value)
  return (
    <tr className="border-b border-line">
      <td className="py-2 pr-3">
        <NodeId nodeId={nodeId} network={network} />
        {feeds && (
          <span className="flex flex-wrap gap-x-3 text-xs text-muted md:hidden">
            {data?.uptimePerformance !== undefined && (
              <span>
                uptime <Uptime percent={data.uptimePerformance} required={data.uptimeRequirement} />
              </span>
            )}
            {data?.endTimestamp !== undefined && <TimeAgo at={data.endTimestamp} />}
            <FeedLinks network={network} nodeId={nodeId} />
          </span>
        )}
        {error && !isUnsupported(error) && (
          <span className="block text-xs text-bad">could not be loaded: {error.message}</span>
        )}
      </td>
      <td className="px-3 py-2">
        {data && data.validationStatus === undefined ? (
          <span className="text-muted">no validator</span>
        ) : (
          known(data?.validationStatus, (status) => <StatusPill status={status} />)
        )}
      </td>
      <td className={`${cell} text-right`}>
        {known(data?.amountStaked, (value) => (
          <Avax value={value} max={2} bare />
        ))}
      </td>
      <td className={`${cell} text-right`}>
        {known(data?.amountDelegated, (value) => (
          <Avax value={value} max={2} bare />
        ))}
      </td>
      <td className={`${cell} text-right`}>
        {known(data?.uptimePerformance, (value) => (
          <Uptime percent={value} required={data?.uptimeRequirement} />
        ))}
      </td>
      <td className={cell}>
        {known(data?.isConnected, (value) => (
          <Pill state={value ? 'ok' : 'failed'}>{value ? 'connected' : 'away'}</Pill>
        ))}
      </td>
      <td className={`${cell} text-right`}>
        {known(data?.endTimestamp, (at) => (
          <TimeAgo at={at} />
        ))}
      </td>
      {feeds && (
        <td className={cell}>
          <FeedLinks network={network} nodeId={nodeId} />
        </td>
      )}
      <td className="py-2 pl-3 text-right">
        <Button
          small
          aria-label={`Unwatch ${nodeId}`}
          title="Unwatch"
          onClick={() => toggleWatched(watchedNode(network, nodeId))}
        >
          <CloseIcon size={12} />
        </Button>
      </td>
    </tr>
  )
}

function AddForm({ network }: { network: NetworkName }) {
  const [text, setText] = useState('')
  const nodeId = text.trim()
  return (
    <Form
      className="flex items-center gap-2 pb-3"
      onSubmit={() => {
        watchList.set((list) => withMore(list, [watchedNode(network, nodeId)], 'first'))
        setText('')
      }}
    >
      <Input
        className="h-7 w-80"
        aria-label="Node ID to watch"
        placeholder="NodeID-…"
        spellCheck={false}
        value={text}
        wrong={isNodeId(nodeId) ? '' : 'Give a whole node ID, NodeID- and its characters.'}
        onChange={setText}
      />
      <Button type="submit" small>
        Watch
      </Button>
    </Form>
  )
}

function Alerting({ network, nodeIds }: { network: NetworkName; nodeIds: readonly string[] }) {
  const url = new URL(seriesPath(network, nodeIds), location.origin).href
  const config = scrapeConfig(location.host, network, nodeIds)
  return (
    <Section title="For your alerting" note="all watched nodes in one series">
      <p className="flex min-w-0 items-center gap-1 pb-3">
        <a className="link min-w-0 font-mono text-mono break-all" href={seriesPath(network, nodeIds)}>
          {url}
        </a>
        <CopyButton text={url} name="address of the series" />
      </p>
      <div className="flex items-start gap-1 rounded-base border border-line bg-sunken p-3">
        <pre className="min-w-0 flex-1 overflow-x-auto text-mono">{config}</pre>
        <CopyButton text={config} name="scrape configuration" />
      </div>
      <p className="pt-2 text-xs text-muted">
        A part of a Prometheus configuration. Where the service asks for a key, give it with the scrape.
      </p>
    </Section>
  )
}

const headings = [
  { text: 'Node', side: 'text-left', shown: '' },
  { text: 'Status', side: 'text-left', shown: '' },
  { text: 'Own stake', side: 'text-right', shown: 'max-md:hidden' },
  { text: 'Delegated', side: 'text-right', shown: 'max-md:hidden' },
  { text: 'Uptime', side: 'text-right', shown: 'max-md:hidden' },
  { text: 'Connection', side: 'text-left', shown: 'max-md:hidden' },
  { text: 'Ends', side: 'text-right', shown: 'max-md:hidden' },
] as const

/** The watched nodes of this browser, their status, and links to the same data for other programs. */
export function WatchList({ network }: { network: NetworkName }) {
  const nodes = useStore(watchList).filter(({ kind, place }) => kind === 'validator' && place === network)
  // Only a Ridgeline service has the feeds; hosted ones have none.
  const profile = useProfile()
  const feeds = profile?.dataUrl === '' && offers(profile, 'getNodeFeed')
  const nodeIds = nodes.map(({ id }) => id)
  return (
    <div className="flex flex-col gap-8">
      <div>
        <AddForm network={network} />
        {nodes.length === 0 ? (
          <EmptyState title="No watched nodes">
            Enter a node ID above, or open a validator and press Watch. The list is kept in this browser and
            never sent.
          </EmptyState>
        ) : (
          <>
            <output className="block pb-2 text-xs text-muted">
              {formatInteger(nodes.length)} {plural(nodes.length, 'node')}, kept in this browser
            </output>
            <div className="md:overflow-x-auto">
              <table className="w-full border-collapse" aria-label="Watched nodes">
                <thead className="text-xs text-muted shadow-[inset_0_-1px_0_var(--color-line)]">
                  <tr>
                    {headings.map(({ text, side, shown }) => (
                      <th
                        key={text}
                        scope="col"
                        className={`h-9 px-3 font-normal first:pl-0 ${side} ${shown}`}
                      >
                        {text}
                      </th>
                    ))}
                    {feeds && (
                      <th scope="col" className="h-9 px-3 text-left font-normal max-md:hidden">
                        Feeds
                      </th>
                    )}
                    <th scope="col" className="h-9 pl-3">
                      <span className="sr-only">Remove from the list</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {nodeIds.map((nodeId) => (
                    <Row key={nodeId} network={network} nodeId={nodeId} feeds={feeds} />
                  ))}
                </tbody>
              </table>
            </div>
            {!feeds && profile && (
              <p className="pt-3 text-muted">
                {profile.name} offers no feed of single nodes: open one to see its figures. A Ridgeline
                service of your own has them.
              </p>
            )}
          </>
        )}
      </div>
      {feeds && nodeIds.length > 0 && <Alerting network={network} nodeIds={nodeIds} />}
    </div>
  )
}
