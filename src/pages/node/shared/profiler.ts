import { NodeError } from '../../../api/node/node-client.ts'
import { createStore } from '../../../lib/storage/store.ts'

/**
 * What is known of a CPU profiler. A node tells its state only by what it answers to a start or a stop, so
 * a page that has asked for neither does not know it. `elsewhere`: another profiler of the same process
 * runs, and only one may.
 */
export type ProfilerState = 'unknown' | 'idle' | 'profiling' | 'elsewhere'

export type Transition = 'start' | 'stop'

/**
 * The state after an answer (docs/signatures.md; error texts of docs/real-node.md). Nodes give one code to every
 * refusal, so the words have to tell; words that are not known leave the state as it was.
 */
export function profilerAfter(now: ProfilerState, asked: Transition, error: unknown): ProfilerState {
  if (error === undefined) return asked === 'start' ? 'profiling' : 'idle'
  if (!(error instanceof NodeError) || error.kind !== 'refused') return now
  if (/already running/.test(error.message)) return 'profiling'
  if (/already in use/.test(error.message)) return 'elsewhere'
  if (/doesn't exist/.test(error.message)) return 'idle'
  return now
}

/** What was learnt of profilers while this page was open, by node and endpoint. */
export const profilers = createStore<Readonly<Record<string, ProfilerState>>>({})

/** Keeps what an answer taught. */
export function learnProfiler(key: string, asked: Transition, error: unknown): void {
  profilers.set((all) => ({ ...all, [key]: profilerAfter(all[key] ?? 'unknown', asked, error) }))
}
