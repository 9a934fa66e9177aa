import type { HeapProfiler, Profiler as V8Profiler, Runtime } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ServiceError } from '../rpc/service-errors.ts'
import type { Frame, Profile, Sample } from './pprof.ts'
import { encodeProfile } from './pprof.ts'

/** Measures the process, as the administration of a node and of its chains has it. */
export interface Profiler {
  /** Throws `ServiceError` while a profile is being taken. */
  startCpu(): Promise<void>
  /** Writes cpu.profile. Throws `ServiceError` when none is being taken. */
  stopCpu(): Promise<void>
  /** Writes mem.profile: what has been allocated since the measuring began and is still held. */
  memory(): Promise<void>
  /** Writes lock.profile: how long work waited for the one thread that does it. */
  locks(): void
}

/** The profilers of this process. */
export interface Profiling {
  /**
   * A profiler that writes to this folder. Of those that belong together, as the parts of one process of a node do,
   * only one takes a CPU profile at a time.
   */
  profilerIn(folder: string, process: string): Profiler
  close(): void
}

const MICROSECONDS_PER_SAMPLE = 10_000
const BYTES_PER_SAMPLE = 512 * 1024
/** Milliseconds that a CPU profile nobody stops goes on growing. */
const LONGEST_MS = 30 * 60_000
const LOOP_RESOLUTION_MS = 20

function frameOf({ functionName, url, lineNumber }: Runtime.CallFrame): Frame {
  return { name: functionName === '' ? '(anonymous)' : functionName, file: url, line: lineNumber + 1 }
}

interface TreeNode {
  readonly callFrame: Runtime.CallFrame
}

/** Every node of a call tree with the stack that leads to it, innermost frame first. */
function* walk<T extends TreeNode>(
  root: T,
  childrenOf: (node: T) => readonly T[],
): Generator<readonly [T, readonly Frame[]]> {
  const open: (readonly [T, readonly Frame[]])[] = [[root, []]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    const [node, stack] = next
    for (const child of childrenOf(node)) open.push([child, [frameOf(child.callFrame), ...stack]])
  }
}

const NANOSECONDS = 1000n

function cpuSamples(profile: V8Profiler.Profile): Sample[] {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const [root] = profile.nodes
  if (root === undefined) return []
  const childrenOf = ({ children }: V8Profiler.ProfileNode): V8Profiler.ProfileNode[] =>
    (children ?? []).map((id) => nodes.get(id)).filter((node) => node !== undefined)
  const stacks = new Map([...walk(root, childrenOf)].map(([{ id }, stack]) => [id, stack]))
  const times = new Map<number, { count: bigint; time: bigint }>()
  for (const [index, id] of (profile.samples ?? []).entries()) {
    if (nodes.get(id)?.callFrame.functionName === '(idle)') continue
    const sum = times.get(id) ?? { count: 0n, time: 0n }
    const spent = BigInt(Math.max(0, profile.timeDeltas?.[index] ?? 0)) * NANOSECONDS
    times.set(id, { count: sum.count + 1n, time: sum.time + spent })
  }
  return [...times].map(([id, { count, time }]) => ({ stack: stacks.get(id) ?? [], values: [count, time] }))
}

function heapSamples({ head }: HeapProfiler.SamplingHeapProfile): Sample[] {
  return [...walk(head, ({ children }) => children)]
    .filter(([{ selfSize }]) => selfSize > 0)
    .map(([{ selfSize }, stack]) => ({ stack, values: [BigInt(Math.round(selfSize))] }))
}

const COUNT = 'count'
const LOOP: Frame = { name: 'event loop', file: '', line: 0 }

function createHeapSampling(): { take(): Promise<HeapProfiler.SamplingHeapProfile>; close(): void } {
  const session = new Session()
  session.connect()
  const begun = session.post('HeapProfiler.startSampling', { samplingInterval: BYTES_PER_SAMPLE })
  // Whoever asks meets the failure.
  begun.catch(() => undefined)
  return {
    async take() {
      await begun
      return (await session.post('HeapProfiler.getSamplingProfile')).profile
    },
    close: () => session.disconnect(),
  }
}

interface CpuRun {
  readonly session: Session
  readonly timer: NodeJS.Timeout
  /** The profile of a run that lasted too long. */
  taken?: V8Profiler.Profile
}

async function halt(session: Session): Promise<V8Profiler.Profile> {
  const { profile } = await session.post('Profiler.stop')
  await session.post('Profiler.disable')
  return profile
}

async function begin(): Promise<CpuRun> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: MICROSECONDS_PER_SAMPLE })
    await session.post('Profiler.start')
  } catch (error) {
    session.disconnect()
    throw error
  }
  const run: CpuRun = {
    session,
    timer: setTimeout(() => {
      // What was taken so far waits for whoever stops it.
      void halt(session).then((profile) => (run.taken = profile))
    }, LONGEST_MS),
  }
  run.timer.unref()
  return run
}

/** Allocations are measured from now on, the waiting for the thread from the first CPU or lock profile, as on a node. */
export function createProfiling(): Profiling {
  const heap = createHeapSampling()
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  const owners = new Map<string, object>()
  const runs = new Map<object, CpuRun>()

  return {
    profilerIn(folder, process) {
      const self = {}

      function save(name: string, profile: Omit<Profile, 'takenAt'>): void {
        mkdirSync(folder, { recursive: true })
        const takenAt = BigInt(Date.now()) * 1_000_000n
        writeFileSync(path.join(folder, name), encodeProfile({ ...profile, takenAt }))
      }

      return {
        async startCpu() {
          const owner = owners.get(process)
          if (owner === self) throw new ServiceError('cpu profiler already running')
          if (owner !== undefined) throw new ServiceError('cpu profiling already in use')
          owners.set(process, self)
          loop.enable()
          try {
            runs.set(self, await begin())
          } catch (error) {
            owners.delete(process)
            throw error
          }
        },
        async stopCpu() {
          const run = runs.get(self)
          if (run === undefined) throw new ServiceError("cpu profiler doesn't exist")
          runs.delete(self)
          clearTimeout(run.timer)
          const profile = run.taken ?? (await halt(run.session))
          run.session.disconnect()
          owners.delete(process)
          save('cpu.profile', {
            kinds: [
              { type: 'samples', unit: COUNT },
              { type: 'cpu', unit: 'nanoseconds' },
            ],
            samples: cpuSamples(profile),
            duration: BigInt(Math.round(profile.endTime - profile.startTime)) * NANOSECONDS,
            period: {
              kind: { type: 'cpu', unit: 'nanoseconds' },
              value: BigInt(MICROSECONDS_PER_SAMPLE) * NANOSECONDS,
            },
          })
        },
        async memory() {
          save('mem.profile', {
            kinds: [{ type: 'inuse_space', unit: 'bytes' }],
            samples: heapSamples(await heap.take()),
            duration: 0n,
            period: { kind: { type: 'space', unit: 'bytes' }, value: BigInt(BYTES_PER_SAMPLE) },
          })
        },
        locks() {
          loop.enable()
          const { count, mean } = loop
          // The histogram holds the whole time between two ticks; what is above its resolution was waiting.
          const waited = count === 0 ? 0 : Math.max(0, mean - LOOP_RESOLUTION_MS * 1e6) * count
          save('lock.profile', {
            kinds: [
              { type: 'contentions', unit: COUNT },
              { type: 'delay', unit: 'nanoseconds' },
            ],
            samples: [{ stack: [LOOP], values: [BigInt(count), BigInt(Math.round(waited))] }],
            duration: 0n,
            period: { kind: { type: 'contentions', unit: COUNT }, value: 1n },
          })
        },
      }
    },
    close() {
      loop.disable()
      heap.close()
      for (const { timer, session } of runs.values()) {
        clearTimeout(timer)
        session.disconnect()
      }
    },
  }
}
