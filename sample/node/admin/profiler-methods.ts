import type { Methods } from '../rpc/json2.ts'
import type { Profiler } from './profiler.ts'

/** The profiler as the administration of a node and of a chain has it: interface.md, "Node administration". */
export function profilerMethods(profiler: Profiler): Methods {
  return {
    async startCPUProfiler() {
      await profiler.startCpu()
      return {}
    },
    async stopCPUProfiler() {
      await profiler.stopCpu()
      return {}
    },
    async memoryProfile() {
      await profiler.memory()
      return {}
    },
    lockProfile() {
      profiler.locks()
      return {}
    },
  }
}
