import path from 'node:path'
import type { EvmChain } from '../../evm/evm-chain.ts'
import type { ChainPlan } from '../../evm/chains.ts'
import type { Ledger } from '../../primary/ledger.ts'
import { adminConcern } from './admin-service.ts'
import { chainAdminMethods } from './chain-admin.ts'
import type { ChainRegistry } from '../rpc/chain-names.ts'
import type { Concern, Handler } from '../../kernel/front.ts'
import { json2Handler } from '../rpc/json2.ts'
import type { Loggers } from './loggers.ts'
import { createLoggers } from './loggers.ts'
import { openPlugins } from './plugins.ts'
import { idText } from '../rpc/text.ts'
import type { Profiling } from './profiler.ts'
import { createProfiling } from './profiler.ts'
import type { RouteAliases } from './route-aliases.ts'
import { vmConfigOf } from './vm-config.ts'

/** How the node is run. */
export interface NodeSettings {
  /** Where its logs, plugins and profiles are. */
  readonly folder: string
  /** Whether the node and its chains can be administered. */
  readonly admin: boolean
  /** Whether a chain forgets old states. */
  pruning(key: ChainPlan['key']): boolean
}

/** What is managed besides. */
export interface Managed {
  readonly settings: NodeSettings
  readonly registry: ChainRegistry
  readonly routes: RouteAliases
  readonly plans: readonly ChainPlan[]
  isBootstrapped(): boolean
  /** The chains that have started, by their plans' keys. */
  readonly chains: ReadonlyMap<string, EvmChain>
}

/** The logs of the node, and its administration where it is on. */
export interface Management {
  readonly loggers: Loggers
  readonly concern: Concern
  /** Notes the blocks of P and X from now on. */
  watch(ledger: Ledger): void
}

const WATCH_MS = 1000

/** The name of a chain's log. */
export function loggerOf(plan: ChainPlan): string {
  return plan.aliases[0] ?? plan.blockchainId
}

export function createManagement(managed: Managed): Management {
  const { settings, registry, routes, plans, chains, isBootstrapped } = managed
  const { folder } = settings
  const loggers = createLoggers([...plans.map(loggerOf), 'P', 'X', 'main', 'vm-factory'], {
    folder: path.join(folder, 'logs'),
    show: (line) => void process.stderr.write(line),
    now: () => Date.now(),
  })
  loggers.of('main').log('INFO', 'starting node', { pid: process.pid })
  const profiling = settings.admin ? createProfiling() : undefined
  const paths = new Map<string, Handler>()
  const concern = profiling === undefined ? undefined : administration(profiling)
  const seen = new Map<string, number>()
  const timer = setInterval(noteHeads, WATCH_MS)
  timer.unref()
  let forget: () => void = () => undefined

  function administration(profilers: Profiling): Concern {
    const profiles = path.join(folder, 'profiles')
    for (const plan of plans) {
      // The C-chain runs inside the node; a subnet's virtual machine is a process of its own.
      const process = plan.key === 'c' ? 'node' : plan.key
      const adminFolder = `${profiles}${path.sep}`
      const kind = plan.key === 'c' ? 'coreth' : 'subnet_evm'
      const config = vmConfigOf({ key: plan.key, pruning: settings.pruning(plan.key), adminFolder })
      const logger = loggerOf(plan)
      const profiler = profilers.profilerIn(`${adminFolder}_${kind}_performance_${logger}`, process)
      const methods = chainAdminMethods({ logger, loggers, profiler, config })
      const handler = json2Handler({ name: 'admin', methods, log: loggers.of(logger) })
      for (const name of registry.namesOf(plan.blockchainId) ?? [])
        paths.set(`/ext/bc/${name}/admin`, handler)
    }
    const plugins = openPlugins(path.join(folder, 'plugins'))
    const profiler = profilers.profilerIn(profiles, 'node')
    return adminConcern({ registry, routes, loggers, plugins, profiler, folder })
  }

  function noteHeads(): void {
    if (!isBootstrapped()) return
    for (const [key, { plan, head }] of chains) {
      const before = seen.get(key)
      seen.set(key, head.number)
      if (before === undefined || before === head.number) continue
      const { number, hash } = head
      loggers.of(loggerOf(plan)).log('INFO', 'accepted block', { height: number, hash })
    }
  }

  return {
    loggers,
    concern: {
      routes: new Map([...paths, ...(concern?.routes ?? [])]),
      target: (asked) => routes.target(asked),
      close() {
        clearInterval(timer)
        forget()
        profiling?.close()
        loggers.of('main').log('INFO', 'finished node shutdown')
      },
    },
    watch(ledger) {
      forget = ledger.onBlock(({ chain, height, id, txIds }) => {
        if (!isBootstrapped()) return
        loggers.of(chain).log('INFO', 'accepted block', { height, blkID: idText(id), txs: txIds.length })
      })
    },
  }
}
