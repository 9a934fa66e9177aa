import type { Methods } from '../rpc/json2.ts'
import { ServiceError } from '../rpc/service-errors.ts'
import type { Level, Loggers } from './loggers.ts'
import { textArg } from '../rpc/args.ts'
import type { Profiler } from './profiler.ts'
import { profilerMethods } from './profiler-methods.ts'

/** What a chain's administration works on. */
export interface ChainAdminFacts {
  /** The name of the chain's log. */
  readonly logger: string
  readonly loggers: Loggers
  readonly profiler: Profiler
  readonly config: Readonly<Record<string, unknown>>
}

/** The names that the chain's virtual machine has for levels, and what the node calls them. */
const EVM_LEVELS = new Map<string, Level>([
  ['trace', 'VERBO'],
  ['trce', 'VERBO'],
  ['debug', 'DEBUG'],
  ['dbug', 'DEBUG'],
  ['info', 'INFO'],
  ['warn', 'WARN'],
  ['error', 'ERROR'],
  ['eror', 'ERROR'],
  ['crit', 'FATAL'],
])

/** A chain's administration, `admin.…` at `/ext/bc/<chain>/admin`: interface.md, "Chain administration". */
export function chainAdminMethods({ logger, loggers, profiler, config }: ChainAdminFacts): Methods {
  return {
    ...profilerMethods(profiler),
    setLogLevel(params) {
      const level = textArg(params, 'level')
      const logLevel = EVM_LEVELS.get(level)
      if (logLevel === undefined) {
        throw new ServiceError(`failed to parse log level: unknown level: ${level} `)
      }
      loggers.change(logger, { logLevel })
      return {}
    },
    getVMConfig: () => ({ config }),
  }
}
