import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { versionQuery } from '../../api/node/node-queries.ts'
import {
  addNode,
  agreedNodes,
  forgetNode,
  parseNodeUrl,
  type NodeTarget,
} from '../../api/node/node-targets.ts'
import { NodeError } from '../../api/node/node-client.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog, prefetchDialog } from '../../components/overlays/dialog.tsx'
import { Pill } from '../../components/pill.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { pageOrigin } from '../../lib/place.ts'
import { safeText } from '../../lib/text.ts'
import { Button, Form, Input, Select } from '../../components/controls.tsx'
import { Labelled } from './shared/act.tsx'

const groups = [
  ['This service', 'gateway'],
  ['Public nodes', 'hosted'],
  ['Added here', 'added'],
  ['From a link', 'linked'],
] as const

/** Whether nothing answers for the node, which differs from a node that keeps its version to itself. */
const isAway = (error: Error): boolean =>
  error instanceof NodeError && (error.status === 0 || error.status >= 500)

/** Whether the node answers, and with which version. */
function Standing({ target }: { target: NodeTarget }) {
  const version = useQuery({ ...versionQuery(target), enabled: target.problem === undefined })
  if (target.problem !== undefined)
    return (
      <Pill state="failed" title={target.problem}>
        out of reach
      </Pill>
    )
  if (version.data) return <Pill state="ok">{safeText(version.data.version, 40)}</Pill>
  if (version.error)
    return (
      <Pill state="stale" title={version.error.message}>
        {isAway(version.error) ? 'not reached' : 'no version given'}
      </Pill>
    )
  return <Skeleton width={120} height={20} />
}

function AddForm({ onAdded }: { onAdded: (base: string) => void }) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState('')
  return (
    <Form
      className="flex flex-col gap-3"
      onSubmit={() => {
        const parsed = parseNodeUrl(text)
        if ('wrong' in parsed) return setWrong(parsed.wrong)
        addNode(name.trim() || new URL(parsed.base).host, parsed.base)
        onAdded(parsed.base)
      }}
    >
      <Labelled label="Address">
        <Input
          placeholder="http://127.0.0.1:9650"
          spellCheck={false}
          value={text}
          aria-invalid={wrong !== ''}
          onChange={(typed) => {
            setText(typed)
            setWrong('')
          }}
        />
      </Labelled>
      {wrong !== '' && (
        <p role="alert" className="text-xs text-bad">
          {wrong}
        </p>
      )}
      <Labelled label="Name">
        <Input maxLength={60} value={name} onChange={setName} />
      </Labelled>
      <p className="text-xs text-muted">
        Kept in this browser, never sent to the service. Nodes on this machine can be reached at once; other
        origins must stand in the service’s consoleOrigins.
      </p>
      <Button type="submit" className="self-start">
        Add and use
      </Button>
    </Form>
  )
}

type Props = {
  targets: readonly NodeTarget[]
  target: NodeTarget
  onChoose: (id: string) => void
}

/** The chosen node with its status, and the selection of another one. */
export function Picker({ targets, target, onChoose }: Props) {
  const [adding, setAdding] = useState(false)
  const id = useId()
  const listed = targets.some((one) => one.id === target.id) ? targets : [...targets, target]
  return (
    <section
      aria-label="Node in use"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 border-y border-line py-2"
    >
      <label htmlFor={id} className="flex min-w-0 items-center gap-2">
        <span className="text-muted">Node</span>
        <Select
          id={id}
          className="max-w-[min(320px,70vw)]"
          value={target.id}
          options={groups.map(([group, kind]) => ({
            group,
            options: listed.filter((one) => one.kind === kind).map(({ id, name }) => ({ id, label: name })),
          }))}
          onChange={onChoose}
        />
      </label>
      <span className="flex min-w-0 items-center gap-1">
        <span className="min-w-0 font-mono text-mono break-all text-muted">
          {`${target.base || pageOrigin()}/ext`}
        </span>
        <CopyButton text={`${target.base || pageOrigin()}/ext`} name="address of the node" />
      </span>
      <Standing key={target.id} target={target} />
      {/* At the end of the line, so that the version of the node, which comes later, moves nothing. */}
      <span className="ml-auto flex items-center gap-2">
        {target.kind === 'linked' && (
          <Button small onClick={() => addNode(target.name, target.base)}>
            Save
          </Button>
        )}
        {(target.kind === 'added' || target.kind === 'linked') && (
          <Button
            small
            onClick={() => {
              forgetNode(target.base)
              onChoose(targets.find((one) => one.isOfProfile)?.id ?? '')
            }}
          >
            Remove
          </Button>
        )}
        <Button
          small
          onPointerEnter={prefetchDialog}
          onFocus={prefetchDialog}
          onClick={() => setAdding(true)}
        >
          Add a node
        </Button>
      </span>
      <Dialog open={adding} onClose={() => setAdding(false)} title="Add a node">
        <AddForm
          onAdded={(base) => {
            setAdding(false)
            onChoose(base)
          }}
        />
      </Dialog>
    </section>
  )
}

/** The confirmation for a node of a link, before anything is sent to it. */
export function LinkedNode({
  target,
  usual,
  onDecline,
}: {
  target: NodeTarget
  usual: NodeTarget | undefined
  onDecline: () => void
}) {
  return (
    <section
      aria-labelledby="linked-node"
      className="flex max-w-[72ch] flex-col items-start gap-3 border-l-2 border-warn py-1 pl-4"
    >
      <h2 id="linked-node" className="text-h3 font-strong">
        This link wants to use another node
      </h2>
      <p className="font-mono text-mono break-all">{target.base}</p>
      <p className="text-muted">
        Nothing has been sent there. Whoever runs a node sees your address and all that you ask of it, and
        what it answers need not be true. Go on only if you know it.
      </p>
      {target.problem !== undefined && <p className="text-warn">{target.problem}</p>}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => agreedNodes.set((all) => [...all, target.base])}>Use for this visit</Button>
        <Button onClick={() => addNode(new URL(target.base).host, target.base)}>Add to my nodes</Button>
        <Button className="border-accent text-accent" onClick={onDecline}>
          {usual ? `Use ${usual.name}` : 'Do not use it'}
        </Button>
      </div>
    </section>
  )
}
