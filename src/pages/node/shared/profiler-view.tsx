import { askNode } from '../../../api/node/node-queries.ts'
import { emptyResult } from '../../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { useStore } from '../../../components/hooks.ts'
import { useRequest } from '../../../components/use-request.ts'
import { Button } from '../../../components/controls.tsx'
import { OutcomeLine } from './act.tsx'
import { learnProfiler, profilers, type ProfilerState, type Transition } from './profiler.ts'

const words: Readonly<Record<ProfilerState, string>> = {
  unknown: 'A node tells whether it profiles only when it is asked to start or to stop.',
  idle: 'The profiler does not run.',
  profiling: 'The profiler runs and costs the node some of its speed.',
  elsewhere: 'Another profiler of the same process runs: the node’s, or that of one of its chains.',
}

function StateBox({ name, isCurrent }: { name: string; isCurrent: boolean }) {
  return (
    <div
      aria-current={isCurrent ? 'step' : undefined}
      className={`flex min-h-16 min-w-0 flex-1 flex-col items-center justify-center rounded-base border px-2 text-center ${
        isCurrent ? 'border-accent bg-accent-soft font-strong text-accent' : 'border-line-strong text-muted'
      }`}
    >
      {name}
      <span className="text-xs font-normal">{isCurrent ? 'now' : '\u00a0'}</span>
    </div>
  )
}

type Props = {
  target: NodeTarget
  path: string
  /** The names of both methods on this node. */
  methods: Readonly<Record<Transition, string>>
  params: unknown
  /** The file of the profile. */
  file: string
}

/** The CPU profiler as a state machine with both states, both transitions, and the known state. */
export function Profiler({ target, path, methods, params, file }: Props) {
  const key = `${target.id} ${path}`
  const state = useStore(profilers, (all) => all[key] ?? 'unknown')
  const request = useRequest(async (asked: Transition, signal) => {
    try {
      await askNode(target, path, methods[asked], params, emptyResult, signal)
    } catch (error) {
      learnProfiler(key, asked, error)
      throw error
    }
    learnProfiler(key, asked, undefined)
    return asked === 'start' ? 'Started.' : `Stopped; the node wrote ${file}.`
  })
  const transition = (asked: Transition, label: string, arrow: string) => (
    <Button small disabled={request.isPending} title={methods[asked]} onClick={() => request.mutate(asked)}>
      {asked === 'stop' && <span aria-hidden="true">{arrow}</span>}
      {label}
      {asked === 'start' && <span aria-hidden="true">{arrow}</span>}
    </Button>
  )
  return (
    <div className="flex flex-col gap-2">
      <fieldset aria-label="CPU profiler" className="flex max-w-[640px] min-w-0 items-stretch gap-3">
        <StateBox name="not profiling" isCurrent={state === 'idle' || state === 'elsewhere'} />
        <div className="flex flex-col justify-center gap-2">
          {transition('start', 'Start', '→')}
          {transition('stop', 'Stop', '←')}
        </div>
        <StateBox name="profiling" isCurrent={state === 'profiling'} />
      </fieldset>
      <p className="text-muted">{words[state]}</p>
      <OutcomeLine request={request} />
    </div>
  )
}

/** A button each for the memory and the mutex profile. */
export function SnapshotProfiles({
  target,
  path,
  params,
  methods,
}: {
  target: NodeTarget
  path: string
  params: unknown
  methods: readonly { label: string; method: string; file: string }[]
}) {
  const request = useRequest(async ({ method, file }: { method: string; file: string }, signal) => {
    await askNode(target, path, method, params, emptyResult, signal)
    return `The node wrote ${file}.`
  })
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {methods.map(({ label, method, file }) => (
          <Button
            key={method}
            title={method}
            disabled={request.isPending}
            onClick={() => request.mutate({ method, file })}
          >
            {label}
          </Button>
        ))}
      </div>
      <OutcomeLine request={request} />
    </div>
  )
}
