import { useId, useState } from 'react'
import { lazy } from '../../components/lazy.ts'
import { LazyPart } from '../../components/part.tsx'
import { parseNodeUrl } from '../../api/node/node-targets.ts'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState, UnsupportedState } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { Button, Form, Input } from '../../components/controls.tsx'
import { LinkedNode, Picker } from './picker.tsx'
import { consoleSchema, type NodeTab } from './shared/search.ts'
import { useTargets } from './shared/use-targets.ts'
import { NodeTabBody } from './node-tab.tsx'

const OtherTab = lazy(() => import('./other-tabs.tsx'), 'OtherTab')

const tabs: readonly { id: NodeTab; label: string }[] = [
  { id: 'node', label: 'Health and peers' },
  { id: 'rpc', label: 'RPC' },
  { id: 'sockets', label: 'Sockets' },
  { id: 'chain', label: 'Chain' },
  { id: 'l1', label: 'L1 validators' },
  { id: 'atomic', label: 'Atomic' },
  { id: 'admin', label: 'Administration' },
]

const waiting = <SkeletonRows count={16} />

/** Where no profile has a node: a field for one of the user's own. */
function NoNode({ onOpen }: { onOpen: (base: string) => void }) {
  const field = useId()
  const [text, setText] = useState('')
  const parsed = parseNodeUrl(text)
  return (
    <EmptyState title="No node">
      <p>No profile names a node (nodeUrl). A node on this machine can be used all the same.</p>
      <Form
        className="flex flex-wrap items-end gap-2 text-text"
        onSubmit={() => 'base' in parsed && onOpen(parsed.base)}
      >
        <label htmlFor={field} className="flex flex-col gap-1">
          <span className="text-xs text-muted">Address of the node</span>
          <Input
            id={field}
            mono
            className="w-80 max-w-full"
            value={text}
            wrong={'wrong' in parsed ? parsed.wrong : ''}
            onChange={setText}
          />
        </label>
        <Button type="submit" className="text-text">
          Open
        </Button>
      </Form>
    </EmptyState>
  )
}

/** The node console for a chosen node, with its tabs. */
export function Console() {
  const [search, setSearch] = useSearchState(consoleSchema)
  const found = useTargets(search.node)
  if (!found) return waiting
  const { targets, chosen } = found
  const usual = targets.find((one) => one.isOfProfile)
  const choose = (id: string): void =>
    setSearch({ node: id === usual?.id ? '' : id, chain: 'C', at: '', ids: '' }, { push: true })
  if (targets.length === 0 && search.node === '') return <NoNode onOpen={choose} />
  if (chosen.state === 'wrong')
    return (
      <EmptyState title="Invalid node in the link">
        <p>
          {chosen.reason} It says <span className="font-mono text-mono break-all">{chosen.text}</span>.
        </p>
        <Button className="text-text" onClick={() => choose('')}>
          Use {usual?.name ?? 'the usual node'}
        </Button>
      </EmptyState>
    )
  if (chosen.state === 'ask')
    return <LinkedNode target={chosen.target} usual={usual} onDecline={() => choose('')} />
  const { target } = chosen
  const ofTab = { target, search, onSearch: setSearch }
  return (
    <div>
      <Picker targets={targets} target={target} onChoose={choose} />
      {target.problem !== undefined ? (
        <UnsupportedState title="This page may not ask that node">
          <p className="break-words">{target.problem}</p>
        </UnsupportedState>
      ) : (
        <Tabs
          label="Parts of the console"
          current={search.tab}
          tabs={tabs}
          onChange={(tab) => setSearch({ tab })}
        >
          <LazyPart key={search.tab} title="This part of the console" fallback={waiting}>
            {search.tab === 'node' ? (
              <NodeTabBody key={target.id} target={target} />
            ) : (
              <OtherTab key={`${search.tab} ${target.id}`} tab={search.tab} {...ofTab} />
            )}
          </LazyPart>
        </Tabs>
      )}
    </div>
  )
}
