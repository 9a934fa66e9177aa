import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Methods } from '../rpc/json2.ts'
import { ServiceError } from '../rpc/service-errors.ts'
import recorded from './recorded.json' with { type: 'json' }

/** The running CPU profiler of each process: a process has at most one. */
export type RunningProfiles = Map<string, string>

/**
 * The profiler methods of the node or of one of its chains (docs/gateway.md). The state of the CPU profiler is real;
 * the profiles written to `folder` were recorded from a node of release 1.14.0.
 */
export function profilerMethods(running: RunningProfiles, processName: string, folder: string): Methods {
  function write(name: keyof typeof recorded.profiles): Readonly<Record<string, never>> {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, `${name}.profile`), Buffer.from(recorded.profiles[name], 'base64'))
    return {}
  }

  return {
    startCPUProfiler() {
      const owner = running.get(processName)
      if (owner === folder) throw new ServiceError('cpu profiler already running')
      if (owner !== undefined) throw new ServiceError('cpu profiling already in use')
      running.set(processName, folder)
      return {}
    },
    stopCPUProfiler() {
      if (running.get(processName) !== folder) throw new ServiceError("cpu profiler doesn't exist")
      running.delete(processName)
      return write('cpu')
    },
    memoryProfile: () => write('mem'),
    lockProfile: () => write('lock'),
  }
}
