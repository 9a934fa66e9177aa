import path from 'node:path'
import type { ChainPlan } from '../../evm/chains.ts'
import type { RouteGroup, Handler } from '../../kernel/front.ts'
import { member, textArg } from '../rpc/args.ts'
import type { ChainRegistry } from '../rpc/chain-names.ts'
import { json2Handler, type Methods, type Params } from '../rpc/json2.ts'
import { ArgumentError, ServiceError } from '../rpc/service-errors.ts'
import { fromCb58 } from '../rpc/encodings.ts'
import { profilerMethods, type RunningProfiles } from './profiler.ts'
import recorded from './recorded.json' with { type: 'json' }
import type { RouteAliases } from './route-aliases.ts'

/** How the node is started. */
export type NodeSettings = {
  /** The folder that profiles are written to. */
  readonly folder: string
  /** Whether the admin APIs of the node and its chains are enabled. */
  readonly admin: boolean
  /** Whether the chains prune old states. */
  readonly pruning: boolean
}

/** The dependencies of the admin API. */
type AdminFacts = {
  readonly settings: NodeSettings
  readonly registry: ChainRegistry
  readonly routes: RouteAliases
  readonly plans: readonly ChainPlan[]
}

const levels = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const
type Level = (typeof levels)[number]
type LoggerLevels = { readonly logLevel: Level; readonly displayLevel: Level }

/** Log levels by logger name. The sample writes no logs: levels are only stored and returned. */
type Loggers = Map<string, LoggerLevels>

const longestAlias = 512

/** The names of the levels in a chain's own admin API. */
const chainLevels: ReadonlyMap<string, Level> = new Map([
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

/** The plugins in the node's folder: the first `loadVMs` reports both, later calls report nothing. */
const plugins = {
  newVMs: { sqja3uK17MJxfC7AN8nGadBw9JK5BcrsNwNynsqP5Gih8M5Bm: ['spaces'] },
  failedVMs: {
    tGas3T58KzdjLHhBDMnH2TvrddhqTji5iZAMZ3RXs2NLpSnhH: 'handshake failed: vm process not found',
  },
}

function levelArg(params: Params, name: string): Level | undefined {
  const value = member(params, name)
  if (value === undefined) return undefined
  const level = typeof value === 'string' ? levels.find((each) => each === value.toUpperCase()) : undefined
  if (level === undefined) throw new ArgumentError()
  return level
}

function aliasArg(params: Params): string {
  const alias = textArg(params, 'alias')
  if (Buffer.byteLength(alias) > longestAlias) throw new ServiceError('alias length is too long')
  return alias
}

/** `admin.…` at `/ext/admin`, without the profilers. */
function nodeMethods({ registry, routes }: AdminFacts, loggers: Loggers): Methods {
  let arePluginsLoaded = false

  function chosen(params: Params): [string, LoggerLevels][] {
    const name = textArg(params, 'loggerName')
    if (name === '') return [...loggers]
    const found = loggers.get(name)
    if (found === undefined) throw new ServiceError(`logger with name ${JSON.stringify(name)} not found`)
    return [[name, found]]
  }

  return {
    alias(params) {
      const endpoint = textArg(params, 'endpoint')
      routes.add(endpoint, aliasArg(params))
      return {}
    },
    aliasChain(params) {
      const [chain, alias] = [textArg(params, 'chain'), aliasArg(params)]
      const id = registry.name(chain, alias)
      routes.add(`bc/${id}`, `bc/${alias}`)
      return {}
    },
    getChainAliases(params) {
      const id = textArg(params, 'chain')
      // Throws the node's message for text that is not an id.
      fromCb58(id)
      return { aliases: registry.namesOf(id) ?? null }
    },
    getLoggerLevel: (params) => ({ loggerLevels: Object.fromEntries(chosen(params)) }),
    setLoggerLevel(params) {
      const [logLevel, displayLevel] = [levelArg(params, 'logLevel'), levelArg(params, 'displayLevel')]
      if (logLevel === undefined && displayLevel === undefined) {
        throw new ServiceError('need to specify either displayLevel or logLevel')
      }
      const changed = chosen(params).map(([name, before]): [string, LoggerLevels] => [
        name,
        { logLevel: logLevel ?? before.logLevel, displayLevel: displayLevel ?? before.displayLevel },
      ])
      for (const [name, after] of changed) loggers.set(name, after)
      return { loggerLevels: Object.fromEntries(changed) }
    },
    loadVMs() {
      const found = arePluginsLoaded ? { newVMs: {} } : plugins
      arePluginsLoaded = true
      return found
    },
  }
}

/** `admin.…` at `/ext/bc/<chain>/admin`, without the profilers. */
function chainMethods(logger: string, loggers: Loggers, config: Readonly<Record<string, unknown>>): Methods {
  return {
    setLogLevel(params) {
      const level = textArg(params, 'level')
      const logLevel = chainLevels.get(level)
      if (logLevel === undefined) {
        throw new ServiceError(`failed to parse log level: unknown level: ${level} `)
      }
      loggers.set(logger, { displayLevel: 'INFO', ...loggers.get(logger), logLevel })
      return {}
    },
    getVMConfig: () => ({ config }),
  }
}

/**
 * The admin API of the node and its EVM chains (docs/sample-node.md). Names, log levels and the state of the CPU
 * profilers are kept; all other answers are recorded from release 1.14.0.
 */
export function adminRoutes(facts: AdminFacts): RouteGroup {
  const { settings, registry, routes, plans } = facts
  const target = (asked: string): string | undefined => routes.target(asked)
  if (!settings.admin) return { target }
  const profiles = path.join(settings.folder, 'profiles')
  const running: RunningProfiles = new Map()
  const loggerOf = ({ aliases, blockchainId }: ChainPlan): string => aliases[0] ?? blockchainId
  const loggers: Loggers = new Map(
    [...plans.map(loggerOf), 'P', 'X', 'main', 'vm-factory'].map((name) => [
      name,
      { logLevel: 'INFO', displayLevel: 'INFO' },
    ]),
  )
  const methods = { ...nodeMethods(facts, loggers), ...profilerMethods(running, 'node', profiles) }
  const paths = new Map<string, Handler>([['/ext/admin', json2Handler({ name: 'admin', methods })]])
  for (const plan of plans) {
    const isC = plan.key === 'c'
    const logger = loggerOf(plan)
    const adminFolder = `${profiles}${path.sep}`
    const folder = `${adminFolder}_${isC ? 'coreth' : 'subnet_evm'}_performance_${logger}`
    const config = {
      ...recorded.vmConfig[isC ? 'c' : 'subnet'],
      'admin-api-dir': adminFolder,
      'pruning-enabled': settings.pruning,
    }
    // The C-Chain runs inside the node; a subnet's virtual machine is a process of its own.
    const profiling = profilerMethods(running, isC ? 'node' : plan.key, folder)
    const handler = json2Handler({
      name: 'admin',
      methods: { ...chainMethods(logger, loggers, config), ...profiling },
    })
    for (const name of registry.namesOf(plan.blockchainId) ?? []) paths.set(`/ext/bc/${name}/admin`, handler)
  }
  return { routes: paths, target }
}
