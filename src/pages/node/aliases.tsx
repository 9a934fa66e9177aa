import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { aliasesQuery, askNode, nodePaths } from '../../api/node/node-queries.ts'
import { emptyResult } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { queryClient } from '../../api/query-client.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { useRequest } from '../../components/use-request.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'
import { Form, Input } from '../../components/controls.tsx'
import { AskedButton, OutcomeLine, Labelled } from './shared/act.tsx'
import { AskForm } from './shared/ask-form.tsx'
import { NodeFailed } from './shared/node-failed.tsx'

/** docs/api.md, Keys and limits. */
const longestAlias = 512

type Kind = 'endpoint' | 'chain'

const kinds = {
  endpoint: {
    method: 'admin.alias',
    label: 'Endpoint, after /ext/',
    placeholder: 'bc/X',
    button: 'Alias the endpoint',
    at: (alias: string) => `/ext/${alias}`,
  },
  chain: {
    method: 'admin.aliasChain',
    label: 'Chain',
    placeholder: 'blockchain ID',
    button: 'Alias the chain',
    at: (alias: string) => `/ext/bc/${alias}`,
  },
} as const

function AliasForm({ target, kind }: { target: NodeTarget; kind: Kind }) {
  const { method, label, placeholder, button, at } = kinds[kind]
  const [thing, setThing] = useState('')
  const [alias, setAlias] = useState('')
  const request = useRequest(async (_: void, signal) => {
    const params = { [kind]: thing.trim(), alias: alias.trim() }
    await askNode(target, nodePaths.admin, method, params, emptyResult, signal)
    await queryClient.invalidateQueries({ queryKey: aliasesQuery(target, thing.trim()).queryKey })
    return `It answers at ${at(alias.trim())} too, until the node restarts.`
  })
  const length = [...alias.trim()].length
  const tooLong =
    length > longestAlias ? `${formatInteger(length)} characters: a node takes ${longestAlias} at most.` : ''
  return (
    <Form className="flex min-w-0 flex-col gap-1" onSubmit={() => undefined}>
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label={label} grow>
          <Input mono required placeholder={placeholder} value={thing} onChange={setThing} />
        </Labelled>
        <Labelled label={`Alias for the ${kind}`} grow>
          <Input mono required value={alias} wrong={tooLong} onChange={setAlias} />
        </Labelled>
        <AskedButton
          target={target}
          label={button}
          title="Give another name?"
          disabled={request.isPending}
          onConfirm={() => request.mutate()}
        >
          <p className="break-words">
            <span className="font-mono text-mono break-all">{safeText(thing, 200)}</span> will answer at{' '}
            <span className="font-mono text-mono break-all">{at(safeText(alias, 200))}</span> as well. A node
            has no call that takes an alias away: it is gone when the node restarts.
          </p>
          {/* avalanchego 1.14.0 waits for every open request before it adds a route, and a socket is one. */}
          <p className="text-warn">
            While any websocket to the node is open, a released node answers nothing at all from here on until
            the last one closes; a service that follows its chain by a websocket holds one.
          </p>
        </AskedButton>
      </div>
      <OutcomeLine request={request} />
    </Form>
  )
}

function ChainNames({ target, chain }: { target: NodeTarget; chain: string }) {
  const query = useQuery(aliasesQuery(target, chain))
  if (query.error && !query.data)
    return (
      <NodeFailed
        title="The names could not be read."
        error={query.error}
        administration={{ of: 'node', target }}
      />
    )
  if (!query.data) return <SkeletonRows count={2} />
  if (query.data.aliases.length === 0)
    return (
      <p className="text-muted">This node knows no chain with that ID. Aliases are asked for by the ID.</p>
    )
  return (
    <ul aria-label="Names of the chain">
      {query.data.aliases.map((alias) => (
        <li key={alias} className="flex min-h-9 items-center gap-1 border-b border-line">
          <span className="min-w-0 font-mono text-mono break-all">{alias}</span>
          <CopyButton text={alias} name="alias" />
        </li>
      ))}
    </ul>
  )
}

/** Aliases of endpoints and chains: give one, and list those that a chain has on this node. */
export function Aliases({ target }: { target: NodeTarget }) {
  const [asked, setAsked] = useState('')
  return (
    <div className="flex flex-col gap-3">
      <AliasForm target={target} kind="endpoint" />
      <AliasForm target={target} kind="chain" />
      <AskForm label="Names of the chain with the ID" button="List its names" onAsk={setAsked} />
      {asked !== '' && <ChainNames target={target} chain={asked} />}
    </div>
  )
}
