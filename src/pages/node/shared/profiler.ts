import { NodeError } from '../../../api/node/node-client.ts'
import { createStore } from '../../../lib/storage/store.ts'

/**
 * The known state of a CPU profiler. A node reveals it only by its answer to a start or a stop, so it is unknown at
 * first. `elsewhere`: another profiler of the same process is running, and only one may.
 */
export type ProfilerState = 'unknown' | 'idle' | 'profiling' | 'elsewhere'

export type Transition = 'start' | 'stop'

/**
 * The state after an answer. Nodes use one code for every
 * refusal, so the message decides; unknown messages leave the state unchanged.
 */
export function profilerAfter(now: ProfilerState, asked: Transition, error: unknown): ProfilerState {
  if (error === undefined) return asked === 'start' ? 'profiling' : 'idle'
  if (!(error instanceof NodeError) || error.kind !== 'refused') return now
  if (/already running/.test(error.message)) return 'profiling'
  if (/already in use/.test(error.message)) return 'elsewhere'
  if (/doesn't exist/.test(error.message)) return 'idle'
  return now
}

/** The known states of profilers while this page is open, by node and endpoint. */
export const profilers = createStore<Readonly<Record<string, ProfilerState>>>({})

/** Updates a profiler's state from an answer. */
export function learnProfiler(key: string, asked: Transition, error: unknown): void {
  profilers.set((all) => ({ ...all, [key]: profilerAfter(all[key] ?? 'unknown', asked, error) }))
}
