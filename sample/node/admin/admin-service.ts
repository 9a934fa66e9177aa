import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ChainRegistry } from '../rpc/chain-names.ts'
import type { Concern } from '../../kernel/front.ts'
import { json2Handler } from '../rpc/json2.ts'
import { ArgumentError, ServiceError } from '../rpc/service-errors.ts'
import type { Methods, Params } from '../rpc/json2.ts'
import type { Level, LoggerLevels, Loggers } from './loggers.ts'
import { levelOf } from './loggers.ts'
import type { Plugins } from './plugins.ts'
import { member, textArg } from '../rpc/args.ts'
import { decode, fromCb58 } from '../rpc/text.ts'
import type { Profiler } from './profiler.ts'
import { profilerMethods } from './profiler-methods.ts'
import type { RouteAliases } from './route-aliases.ts'

/** What the node's administration works on. */
export interface AdminFacts {
  readonly registry: ChainRegistry
  readonly routes: RouteAliases
  readonly loggers: Loggers
  readonly plugins: Plugins
  readonly profiler: Profiler
  /** Where the stack trace is written. */
  readonly folder: string
}

/** Characters. */
const LONGEST_ALIAS = 512
/** A key that the node's database does not have. */
const NOT_FOUND = 2

function levelArg(params: Params, name: string): Level | undefined {
  const value = member(params, name)
  if (value === undefined) return undefined
  const level = typeof value === 'string' ? levelOf(value) : undefined
  if (level === undefined) throw new ArgumentError()
  return level
}

function aliasArg(params: Params): string {
  const alias = textArg(params, 'alias')
  if (Buffer.byteLength(alias) > LONGEST_ALIAS) throw new ServiceError('alias length is too long')
  return alias
}

/** The node's administration, `admin.…` at `/ext/admin`: interface.md, "Node administration". */
export function adminMethods(facts: AdminFacts): Methods {
  const { registry, routes, loggers, plugins, profiler } = facts
  const main = loggers.of('main')

  function chosen(params: Params): readonly string[] {
    const name = textArg(params, 'loggerName')
    return name === '' ? loggers.names : [name]
  }

  function levelsOf(names: readonly string[]): Readonly<Record<string, LoggerLevels>> {
    return Object.fromEntries(names.map((name) => [name, loggers.levels(name)]))
  }

  return {
    alias(params) {
      const [endpoint, alias] = [textArg(params, 'endpoint'), aliasArg(params)]
      routes.add(endpoint, alias)
      main.log('INFO', 'adding route alias', { endpoint, alias })
      return {}
    },
    aliasChain(params) {
      const [chain, alias] = [textArg(params, 'chain'), aliasArg(params)]
      const id = registry.name(chain, alias)
      routes.add(`bc/${id}`, `bc/${alias}`)
      main.log('INFO', 'adding chain alias', { chain: id, alias })
      return {}
    },
    getChainAliases: (params) => ({
      aliases: registry.namesOf(idText(textArg(params, 'chain'))) ?? null,
    }),
    getLoggerLevel: (params) => ({ loggerLevels: levelsOf(chosen(params)) }),
    setLoggerLevel(params) {
      const logLevel = levelArg(params, 'logLevel')
      const displayLevel = levelArg(params, 'displayLevel')
      if (logLevel === undefined && displayLevel === undefined) {
        throw new ServiceError('need to specify either displayLevel or logLevel')
      }
      const names = chosen(params)
      for (const name of names) {
        loggers.change(name, {
          ...(logLevel === undefined ? {} : { logLevel }),
          ...(displayLevel === undefined ? {} : { displayLevel }),
        })
      }
      return { loggerLevels: levelsOf(names) }
    },
    loadVMs() {
      const { loaded, failed } = plugins.load()
      for (const [id, why] of Object.entries(failed)) {
        loggers.of('vm-factory').log('ERROR', 'failed to register VM', { vmID: id, error: why })
      }
      for (const id of Object.keys(loaded)) {
        loggers.of('vm-factory').log('INFO', 'registered VM', { vmID: id })
      }
      return { newVMs: loaded, failedVMs: Object.keys(failed).length === 0 ? undefined : failed }
    },
    ...profilerMethods(profiler),
    stacktrace() {
      writeFileSync(path.join(facts.folder, 'stacktrace.txt'), `${new Error('stack').stack ?? ''}\n`)
      return {}
    },
    dbGet(params) {
      decode('hexnc', textArg(params, 'key'))
      return { value: '', errorCode: NOT_FOUND }
    },
  }
}

/** The id as it was given, once it is one. Throws `ServiceError` with the node's words. */
function idText(text: string): string {
  fromCb58(text)
  return text
}

export function adminConcern(facts: AdminFacts): Concern {
  const log = facts.loggers.of('main')
  const handler = json2Handler({ name: 'admin', methods: adminMethods(facts), log })
  return { routes: new Map([['/ext/admin', handler]]) }
}
