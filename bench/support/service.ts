import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endLater } from './endings.ts'
import { cacheFolder, root } from './paths.ts'
import { type BenchPostgres, withPostgres } from './postgres.ts'

/** A running service (the built program). */
export type Service = {
  readonly url: string
  readonly pid: number
  /** Peak memory of the process so far, in bytes. */
  peakMemory(): number
  /** CPU seconds (user and system) of the process so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

type ServiceOptions = {
  readonly name: string
  readonly role: 'all' | 'api' | 'indexer'
  readonly port: number
  readonly databaseUrl: string
  /** The content of its configuration file. */
  readonly config: Record<string, unknown>
  /** Further variables of its environment. */
  readonly variables?: Readonly<Record<string, string>>
  /** Options of Node itself, such as a profiler's. */
  readonly nodeOptions?: readonly string[]
}

const timeoutMs = 30_000

/** Starts `dist/node/server.js` and waits until it answers. If it does not, throws the end of its log. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const home = cacheFolder(`home-${options.name}`)
  const configPath = join(home, 'config.json')
  writeFileSync(configPath, JSON.stringify(options.config, null, 2))
  const logPath = join(home, 'service.log')
  const log = openSync(logPath, 'w')
  const child = spawn(
    process.execPath,
    [
      ...(options.nodeOptions ?? []),
      join(root, 'dist/node/server.js'),
      '--config',
      configPath,
      '--role',
      options.role,
    ],
    {
      cwd: home,
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(options.port),
        RIDGELINE_HOME: home,
        DATABASE_URL: options.databaseUrl,
        LOG_LEVEL: 'warn',
        ...options.variables,
      },
    },
  )
  closeSync(log)
  const url = `http://127.0.0.1:${options.port}`
  const tail = (): string => readFileSync(logPath, 'utf8').slice(-2_000)
  await untilServing(child, url, tail)
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    peakMemory: () => peakMemoryOf(pid),
    cpuSeconds: () => cpuSecondsOf(pid),
    stop: endLater(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(killer)
    }),
  }
}

/** Runs an action on a service that only serves a filled database, without nodes and limits. */
export async function withApi<T>(
  { config, ...options }: Pick<ServiceOptions, 'name' | 'port' | 'databaseUrl' | 'config' | 'variables'>,
  action: (service: Service) => Promise<T>,
): Promise<T> {
  const limits = { requestsPerMinute: 1_000_000_000 }
  const service = await startService({ ...options, role: 'api', config: { ...config, limits } })
  try {
    return await action(service)
  } finally {
    await service.stop()
  }
}

/** Runs an action on a service over a database of generated rows (`BenchPostgres.filled`). */
export function withRows<T>(
  options: Omit<Parameters<typeof withApi>[0], 'databaseUrl'>,
  rows: Parameters<BenchPostgres['filled']>,
  action: (service: Service, databaseUrl: string) => Promise<T>,
): Promise<T> {
  return withPostgres(async (postgres) => {
    const databaseUrl = await postgres.filled(...rows)
    return withApi({ ...options, databaseUrl }, (service) => action(service, databaseUrl))
  })
}

/** A chain of generated rows, without a node. */
export const syntheticChainConfig = (evmChainId: number) => ({
  evmChainId,
  name: 'Synthetic',
  rpcUrl: 'http://127.0.0.1:9',
})

async function untilServing(child: ChildProcess, url: string, tail: () => string): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (child.exitCode === null && Date.now() < deadline) {
    // The service listens before its database is open; it is then alive, but not ready.
    const response = await fetch(`${url}/v1/status`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok === true) return
    await delay(20)
  }
  child.kill('SIGKILL')
  throw new Error(`the service did not start: ${tail()}`)
}

/** The peak memory of a process so far, in bytes. The kernel's own peak covers the time between samples. */
function peakMemoryOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1_024
}

const ticksPerSecond = 100

/** CPU seconds (user and system) of a process so far; with `ended` also those of its children that have ended. */
export function cpuSecondsOf(pid: number, { ended = false } = {}): number {
  // The command name in parentheses may contain spaces; user and system time are the 12th and 13th field
  // after it, those of ended children the next two.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticks = fields.slice(11, ended ? 15 : 13).reduce((sum, field) => sum + Number(field), 0)
  return ticks / ticksPerSecond
}

/** The processes that a process has started: their peak memory in bytes, and their CPU seconds so far. */
export function childrenOf(pid: number): { memory: number; cpuSeconds: number }[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return children.flatMap((child) => {
    try {
      return { memory: peakMemoryOf(Number(child)), cpuSeconds: cpuSecondsOf(Number(child)) }
    } catch {
      // It has ended.
      return []
    }
  })
}
