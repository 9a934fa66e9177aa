import { useEffect, useState } from 'react'
import {
  maxBatchItems,
  nodeEndpoints,
  nodeIndexes,
  nodeMethods,
  type NodeEndpoint,
  type NodeMethod,
} from '../../../../contract/node/node-methods.ts'
import { exchange, needsToken } from '../../../api/node/node-client.ts'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { Combobox } from '../../../components/overlays/combobox.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { prefetchDialog } from '../../../components/overlays/dialog.tsx'
import { useStore } from '../../../components/hooks.ts'
import { CodeIcon } from '../../../components/icons.ts'
import { lazy } from '../../../components/lazy.ts'
import { LazyPart } from '../../../components/part.tsx'
import { Section } from '../../../components/section.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { formatNumber } from '../../../lib/amounts.ts'
import { plural, shorten } from '../../../lib/text.ts'
import { Confirm, Labelled } from '../shared/act.tsx'
import { ChainField } from '../shared/chain-field.tsx'
import { matches } from './methods.ts'
import { isSecret, keepRequest, rpcHistory } from './history.ts'
import { NodeFailed } from '../shared/node-failed.tsx'
import {
  bodyOf,
  curlOf,
  exampleText,
  factsOf,
  methodOf,
  nameOn,
  parseCalls,
  routeOf,
  viemOf,
  withCall,
  writeLossless,
  type Wish,
} from '../../../api/node/node-request.ts'
import { ResponseView } from './response-view.tsx'
import { rpcSessions, type Answer } from './sessions.ts'
import type { TabProps } from '../shared/search.ts'
import { TokenBox } from '../shared/token-box.tsx'
import { Button, Select } from '../../../components/controls.tsx'

const endpointLabels: Readonly<Record<NodeEndpoint, string>> = {
  admin: 'Node administration',
  atomic: 'Atomic',
  chainAdmin: 'Chain administration',
  evm: 'EVM chain',
  health: 'Health',
  index: 'Index',
  info: 'Info',
  p: 'P-Chain',
  validators: 'Validators of a chain',
  x: 'X-Chain',
}
const endpoints = Object.keys(nodeEndpoints) as NodeEndpoint[]

const openings: Readonly<Record<NonNullable<NodeMethod['closedBy']>, string>> = {
  administration: 'The gateway passes administration on only with the local token, on its own machine.',
  debug: 'The gateway refuses it unless its operator opens the namespace debug; it may need the local token.',
  txpool:
    'The gateway refuses it unless its operator opens the namespace txpool; it may need the local token.',
  personal:
    'The gateway refuses it unless its operator opens the namespace personal; it needs the local token.',
}

const Editor = lazy(() => import('./editor.tsx'), 'Editor')

const firstMethod = 'eth_blockNumber'

function Examples({
  names,
  onMethod,
}: {
  names: NodeTarget['names']
  onMethod: (method: NodeMethod) => void
}) {
  const [text, setText] = useState('')
  const found = matches(text.trim(), names, text.trim() === '' ? nodeMethods.length : 60)
  const groups = endpoints.map((endpoint) => ({
    label: endpointLabels[endpoint],
    choices: found
      .filter((method) => method.endpoint === endpoint)
      .map((method) => ({
        id: `${endpoint}-${method.method.replace(/\W/g, '-')}`,
        title: nameOn(method, names),
        detail: method.summary,
        onChoose: () => onMethod(method),
      })),
  }))
  return (
    <Combobox
      label="Example of a method"
      placeholder="Find a method"
      value={text}
      onValue={setText}
      groups={groups}
      onSubmit={() => undefined}
      onDone={() => setText('')}
      status={found.length === 0 ? 'No method matches.' : undefined}
      floating
      wraps
      icon={<CodeIcon size={14} />}
    />
  )
}

function History({ onTake }: { onTake: (text: string) => void }) {
  const entries = useStore(rpcHistory)
  if (entries.length === 0) return <p className="text-muted">Kept in this browser only.</p>
  return (
    <>
      <ul aria-label="Requests that were sent" className="border-t border-line">
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.path} ${entry.text}`} className="border-b border-line">
            <button
              type="button"
              className="flex min-h-9 w-full min-w-0 flex-wrap items-center gap-x-3 py-1 text-left hover:bg-hover"
              onClick={() => onTake(entry.text)}
            >
              <span className="min-w-48 flex-1 truncate font-mono text-mono">
                {[...entry.text.matchAll(/"method"\s*:\s*"([^"]{1,80})"/g)].map((one) => one[1]).join(', ')}
              </span>
              <span className="text-xs text-muted">
                {shorten(entry.path, 16, 12)} · HTTP {entry.status} · {formatNumber(entry.milliseconds, 0)} ms
                · <TimeAgo at={entry.at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Button small className="mt-2 self-start" onClick={() => rpcHistory.set([])}>
        Clear history
      </Button>
    </>
  )
}

/** An editor for calls of a node: examples, batches, answers as trees, and the history. */
export function RpcTab({ target, search, onSearch }: TabProps & { target: NodeTarget }) {
  const { names } = target
  const { chain } = search
  // A method of a link comes before what was written earlier.
  const [kept] = useState(() => {
    const session = rpcSessions.get(target.id)
    return session && (search.method === '' || session.text.includes(search.method)) ? session : undefined
  })
  const [text, setText] = useState(() => {
    if (kept) return kept.text
    const method = methodOf(search.method) ?? methodOf(firstMethod)
    return method ? exampleText(method, names) : ''
  })
  const [isBatch, setBatch] = useState(kept?.isBatch ?? false)
  const [endpoint, setEndpoint] = useState<Wish['endpoint']>(kept?.endpoint ?? 'auto')
  const [index, setIndex] = useState<string>(nodeIndexes[0])
  const [asking, setAsking] = useState(false)
  const [answer, setAnswer] = useState<Answer | undefined>(kept?.answer)
  useEffect(prefetchDialog, [])
  useEffect(() => {
    rpcSessions.set(target.id, { text, isBatch, endpoint, answer })
  }, [target.id, text, isBatch, endpoint, answer])

  const written = parseCalls(text)
  const calls = 'calls' in written ? written : undefined
  const route = calls && routeOf(calls, names, { endpoint, chain, index })
  const path = route && 'path' in route ? route.path : undefined
  const place = route && 'endpoint' in route ? route.endpoint : undefined
  const wrong = 'wrong' in written ? written.wrong : route && 'wrong' in route ? route.wrong : ''
  const methods = calls ? calls.calls.map(({ method }) => method) : []
  const isTokenNeeded = needsToken(target, methods)
  const known = calls && place ? calls.calls.map((call) => factsOf(call, place)) : []
  const isWriting = known.some((method) => method?.isWriting)
  const hints = [
    ...(target.kind === 'gateway' && known.some((method) => method === undefined)
      ? ['The gateway passes on the methods of its list only; this is not one of them.']
      : []),
    ...new Set(known.flatMap((method) => (method?.closedBy ? [openings[method.closedBy]] : []))),
    ...(known.some((method) => method?.isSocketOnly)
      ? ['It is answered over a websocket only: see Sockets.']
      : []),
    ...(calls && isSecret(calls.calls)
      ? ['It is not kept in the history: it may carry a password or a key.']
      : []),
  ]
  const url = path === undefined ? '' : `${target.base || location.origin}${path}`

  const request = useRequest(async (_: void, signal) => {
    if (!calls || path === undefined) throw new Error(wrong)
    const result = await exchange(target, path, bodyOf(calls), methods, signal)
    setAnswer({ exchange: result, path, batch: calls.isBatch ? calls.calls : undefined })
    const { status, milliseconds } = result
    keepRequest({ node: target.id, path, text, status, milliseconds }, calls.calls)
  })
  const send = (): void => {
    if (path === undefined || request.isPending) return
    if (isWriting) setAsking(true)
    else request.mutate()
  }
  const take = (method: NodeMethod): void => {
    setEndpoint('auto')
    setText(isBatch ? withCall(text, method, names) : exampleText(method, names))
    if (!isBatch) onSearch({ method: method.method === firstMethod ? '' : method.method })
  }
  const toggleBatch = (): void => {
    setBatch(!isBatch)
    if (!calls) return
    const plain = calls.calls.map(({ method, params }) => ({ method, params }))
    setText(writeLossless(isBatch ? plain[0] : plain, 2))
  }
  const count = calls?.isBatch ? calls.calls.length : undefined
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <ChainField target={target} chain={chain} onChain={(next) => onSearch({ chain: next })} />
        <div className="flex flex-wrap items-center gap-3">
          <Examples names={names} onMethod={take} />
          <Button aria-pressed={isBatch} onClick={toggleBatch}>
            Batch
          </Button>
        </div>
        <LazyPart title="The editor" fallback={<Skeleton height={256} />}>
          <Editor
            text={text}
            names={names}
            wrong={wrong}
            onText={setText}
            onMethod={(method) => {
              // A completed name inserts its example if there are no parameters yet.
              if (calls && !calls.isBatch && /"params"\s*:\s*(\[\s*\]|\{\s*\})/.test(text)) take(method)
            }}
            onSend={send}
          />
        </LazyPart>
        <div className="flex flex-wrap items-end gap-3">
          <Labelled label="Endpoint">
            <Select
              value={endpoint}
              options={[
                {
                  id: 'auto',
                  label: `of the method${place && endpoint === 'auto' ? `: ${endpointLabels[place]}` : ''}`,
                },
                ...endpoints.map((one) => ({ id: one, label: endpointLabels[one] })),
              ]}
              onChange={setEndpoint}
            />
          </Labelled>
          {place === 'index' && (
            <Labelled label="Index">
              <Select value={index} options={nodeIndexes} onChange={setIndex} />
            </Labelled>
          )}
          <Button
            className="border-accent text-accent"
            disabled={path === undefined || request.isPending}
            title="Ctrl+Enter"
            onClick={send}
          >
            {request.isPending ? 'Sending …' : 'Send'}
          </Button>
          <Button
            disabled={!calls}
            onClick={() =>
              calls &&
              setText(
                writeLossless(
                  calls.isBatch
                    ? calls.calls.map(({ method, params }) => ({ method, params }))
                    : { method: calls.calls[0]?.method, params: calls.calls[0]?.params },
                  2,
                ),
              )
            }
          >
            Format
          </Button>
          {calls && path !== undefined && (
            <span className="flex items-center gap-3 text-xs text-muted">
              <span className="inline-flex items-center">
                curl <CopyButton text={curlOf(url, bodyOf(calls), isTokenNeeded)} name="curl command" />
              </span>
              <span className="inline-flex items-center">
                viem <CopyButton text={viemOf(url, calls)} name="viem code" />
              </span>
            </span>
          )}
        </div>
        <div className="min-h-10 text-xs">
          {wrong !== '' ? (
            <p className="break-words text-bad">{wrong}</p>
          ) : (
            <p className="break-all text-muted">
              POST {url}
              {count !== undefined && ` · ${count} of ${maxBatchItems} calls`}
            </p>
          )}
          {hints.map((hint) => (
            <p key={hint} className="text-muted">
              {hint}
            </p>
          ))}
        </div>
        <Confirm
          open={asking}
          target={target}
          title="Send a request that changes the node?"
          action="Send it"
          onClose={() => setAsking(false)}
          onConfirm={() => request.mutate()}
        >
          <p>
            {calls?.calls
              .filter((_, at) => known[at]?.isWriting)
              .map(({ method }) => method)
              .join(', ')}{' '}
            {plural(known.filter((one) => one?.isWriting).length, 'changes', 'change')} the node or its chain.
          </p>
        </Confirm>
        <Section title="Answer">
          {request.error ? (
            <NodeFailed title="There is no answer." error={request.error} onRetry={send} />
          ) : answer ? (
            <>
              <ResponseView answer={answer.exchange} path={answer.path} batch={answer.batch} />
              {isTokenNeeded && answer.exchange.status === 401 && (
                <TokenBox onToken={() => request.mutate()} />
              )}
            </>
          ) : (
            <p className="text-muted">Send a call to see its answer.</p>
          )}
        </Section>
      </div>
      <Section title="Recent calls">
        <History
          onTake={(taken) => {
            setText(taken)
            setEndpoint('auto')
            setBatch(taken.trimStart().startsWith('['))
            scrollTo({ top: 0 })
          }}
        />
      </Section>
    </div>
  )
}
