import { useMemo, useState } from 'react'
import { subscriptionKinds } from '../../../../contract/node/node-methods.ts'
import { socketUrl, type SocketState } from '../../../api/node/node-socket.ts'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { DownloadIcon, PauseIcon, PlayIcon } from '../../../components/icons.ts'
import { JsonTree } from '../../../components/json-tree.tsx'
import { Pill, type PillState } from '../../../components/pill.tsx'
import { Section } from '../../../components/section.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { textColumn } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { formatInteger, formatNumber } from '../../../lib/amounts.ts'
import { download } from '../../../lib/download.ts'
import { safeText, shorten } from '../../../lib/text.ts'
import { OutcomeLine, Labelled } from '../shared/act.tsx'
import { ChainField } from '../shared/chain-field.tsx'
import { sizeText } from './response-view.tsx'
import type { TabProps } from '../shared/search.ts'
import { Button, Form, Select, Input } from '../../../components/controls.tsx'
import { maxKept, subscribeParams, summaryOf, type SocketEvent, type Wanted } from './socket-log.ts'
import { useSocket, type SocketView } from './use-socket.ts'

const clock = (at: number): string => new Date(at).toISOString().slice(11, 23)

/** The columns of notifications; a button shows the contents below. */
const eventColumns = (onShow: (event: SocketEvent) => void): Column<SocketEvent>[] => [
  {
    id: 'at',
    header: 'Time, UTC',
    always: true,
    width: '120px',
    narrow: 'below',
    cell: ({ at }) => clock(at),
    text: ({ at }) => new Date(at).toISOString(),
  },
  textColumn('kind', 'Subscription', ({ kind }) => kind, { width: '200px', narrow: 'belowSide' }),
  {
    id: 'what',
    header: 'What',
    narrow: 'title',
    cell: (row) => (
      <button
        type="button"
        className="link max-w-full truncate text-left font-mono text-mono"
        title={safeText(summaryOf(row.kind, row.value), 200)}
        onClick={() => onShow(row)}
      >
        {safeText(summaryOf(row.kind, row.value), 200) || 'open'}
      </button>
    ),
    text: ({ value }) =>
      JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}` : item)),
  },
  {
    id: 'size',
    header: 'Size',
    align: 'right',
    width: '100px',
    narrow: 'side',
    cell: ({ size }) => sizeText(size),
    text: ({ size }) => String(size),
  },
]
const rowKey = ({ seq }: SocketEvent): string => String(seq)

const pills: Readonly<Record<SocketState['state'], { state: PillState; words: string }>> = {
  connecting: { state: 'pending', words: 'connecting' },
  open: { state: 'ok', words: 'connected' },
  closed: { state: 'ended', words: 'closed' },
}

/** The browser's description of a closed socket, as text. */
function closeWords({ code, reason }: { code: number; reason: string }): string {
  if (reason !== '') return `It was closed: ${safeText(reason, 200)} (${code}).`
  if (code === 1000 || code === 1005) return 'It was closed.'
  if (code === 1006)
    return 'Connection closed unexpectedly (1006): nothing listens there, the chain has no websocket, or the connection broke.'
  if (code === 1008) return 'The other side refused it (1008).'
  if (code === 1013) return 'The other side has too many connections (1013).'
  return `It was closed (${code}).`
}

function Standing({ view }: { view: SocketView }) {
  const { state } = view
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
      {state ? (
        <Pill state={pills[state.state].state}>{pills[state.state].words}</Pill>
      ) : (
        <Pill state="neutral">not connected</Pill>
      )}
      <output className="text-muted">
        {state?.state === 'closed' ? closeWords(state) : state && `${formatNumber(view.rate, 1)} a second`}
      </output>
      {state?.state === 'open' && (
        <Button small onClick={view.disconnect}>
          Disconnect
        </Button>
      )}
    </div>
  )
}

function WishForm({ view }: { view: SocketView }) {
  const [wanted, setWanted] = useState<Wanted>({ kind: 'newHeads', address: '', topics: '', isWhole: false })
  const built = subscribeParams(wanted)
  const request = useRequest(async () => {
    if ('wrong' in built) throw new Error(built.wrong)
    await view.subscribe(wanted.kind, built.params)
    return `Subscribed to ${wanted.kind}.`
  })
  const isTransactions = wanted.kind === 'newPendingTransactions' || wanted.kind === 'newAcceptedTransactions'
  return (
    <Form className="flex flex-col gap-2" onSubmit={() => request.mutate()}>
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label="Subscription">
          <Select
            value={wanted.kind}
            options={subscriptionKinds}
            onChange={(kind) => setWanted({ ...wanted, kind })}
          />
        </Labelled>
        {wanted.kind === 'logs' && (
          <Labelled label="Addresses; none for every one" grow>
            <Input
              mono
              placeholder="0x…"
              value={wanted.address}
              onChange={(typed) => setWanted({ ...wanted, address: typed })}
            />
          </Labelled>
        )}
        {isTransactions && (
          <label className="flex h-8 items-center gap-2">
            <input
              type="checkbox"
              checked={wanted.isWhole}
              onChange={(event) => setWanted({ ...wanted, isWhole: event.target.checked })}
            />
            Whole transactions
          </label>
        )}
        <Button type="submit" disabled={request.isPending}>
          Subscribe
        </Button>
      </div>
      {wanted.kind === 'logs' && (
        <Labelled label="Topics, a line for each place; several apart by commas, an empty line for any">
          <textarea
            className="field h-20 resize-y py-1.5 font-mono text-mono"
            spellCheck={false}
            value={wanted.topics}
            onChange={(event) => setWanted({ ...wanted, topics: event.target.value })}
          />
        </Labelled>
      )}
      {'wrong' in built ? (
        <p role="alert" className="min-h-5 text-xs text-bad">
          {built.wrong}
        </p>
      ) : (
        <OutcomeLine request={request} />
      )}
    </Form>
  )
}

function Subscriptions({ view }: { view: SocketView }) {
  const request = useRequest(async (id: string) => {
    await view.unsubscribe(id)
    return 'Ended.'
  })
  return (
    <>
      <ul aria-label="Subscriptions" className="flex flex-col">
        {view.subscriptions.map(({ id, kind, params }) => (
          <li key={id} className="flex min-h-9 flex-wrap items-center gap-3 border-b border-line py-1">
            <span>{kind}</span>
            <span
              className="min-w-0 flex-1 truncate font-mono text-mono text-muted"
              title={JSON.stringify(params)}
            >
              {params.length > 1 ? JSON.stringify(params[1]) : shorten(id)}
            </span>
            <Button small aria-label={`End the subscription to ${kind}`} onClick={() => request.mutate(id)}>
              Unsubscribe
            </Button>
          </li>
        ))}
      </ul>
      {view.subscriptions.length > 0 && <OutcomeLine request={request} />}
    </>
  )
}

function Events({ view, chain }: { view: SocketView; chain: string }) {
  const { log, isPaused, held } = view
  // Kept as an object: the selected one stays when the list has dropped it.
  const [shown, setShown] = useState<SocketEvent>()
  const columns = useMemo(() => eventColumns(setShown), [])
  const save = (): void => {
    const text = JSON.stringify(
      log.events.map(({ at, kind, value }) => ({ at: new Date(at).toISOString(), kind, value })),
      (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item),
      1,
    )
    download(`notifications-${chain.replace(/\W+/g, '-')}.json`, 'application/json', [text])
  }
  return (
    <div className="flex flex-col gap-6">
      {log.total > 0 && (
        <WholeTable
          id="node-events"
          label="Notifications"
          noun="notification"
          columns={columns}
          rows={log.events}
          rowKey={rowKey}
          tools={
            <>
              <Button small aria-pressed={isPaused} onClick={() => view.pause(!isPaused)}>
                {isPaused ? <PlayIcon size={14} /> : <PauseIcon size={14} />}
                {isPaused ? `Resume${held > 0 ? `, ${formatInteger(held)} waiting` : ''}` : 'Pause'}
              </Button>
              <Button
                small
                onClick={() => {
                  setShown(undefined)
                  view.clear()
                }}
              >
                Clear
              </Button>
              {log.events.length > 0 && (
                <Button small onClick={save}>
                  <DownloadIcon size={14} />
                  Save
                </Button>
              )}
              <span className="text-xs text-muted">
                {formatInteger(log.total)} came, {formatInteger(maxKept)} are kept at most
              </span>
            </>
          }
        />
      )}
      {log.events.length === 0 && (
        <EmptyState title="No messages yet">
          Each block, log or transaction of a subscription appears here as the node announces it.
        </EmptyState>
      )}
      {shown && (
        <Section title="Notification" note={`${shown.kind}, ${clock(shown.at)}`}>
          <JsonTree value={shown.value} label="Notification" />
        </Section>
      )}
    </div>
  )
}

function Sockets({ target, chain }: { target: NodeTarget; chain: string }) {
  const url = socketUrl(target, chain, location.origin)
  const view = useSocket(url)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <p className="font-mono text-mono break-all text-muted">{url}</p>
        <Standing view={view} />
        <WishForm view={view} />
        <Subscriptions view={view} />
      </div>
      <Events view={view} chain={chain} />
    </div>
  )
}

/** Subscriptions of an EVM chain over its websocket: events, rate, pause, export. */
export function SocketsTab({ target, search, onSearch }: TabProps & { target: NodeTarget }) {
  const { chain } = search
  return (
    <>
      <ChainField
        target={target}
        chain={chain}
        onChain={(next) => onSearch({ chain: next }, { push: true })}
      />
      <Sockets key={chain} target={target} chain={chain} />
    </>
  )
}
