import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A stack that a test starts in addition to that of playwright.config.ts, like a user would. */
export type Launched = {
  readonly child: ChildProcess
  /** The terminal output so far. */
  output(): string
  /** The address of the dashboard; rejects if the launcher ends before it has one. */
  readonly url: Promise<string>
  /**
   * The same address once `/ready` answers 200; with `reason`, once it names that as what is wrong. Rejects if the launcher
   * ends before.
   */
  ready(reason?: string): Promise<string>
  /** The exit code once it has ended. */
  readonly ended: Promise<number | null>
  /** Presses Ctrl-C and waits for the end. */
  stop(): Promise<number | null>
}

type LaunchOptions = {
  /** The folder of data and logs; by default the program's own choice. */
  readonly home?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The project to run; by default this one. */
  readonly root?: string
  /** The command to run instead of the project's `npm start`, in `cwd`. */
  readonly command?: readonly [string, ...string[]]
  readonly cwd?: string
}

const ownRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `npm start`, on a free port unless `env` names one. */
export function launch({ home, args = [], env = {}, root = ownRoot, ...options }: LaunchOptions): Launched {
  const [program, ...first] = options.command ?? [process.execPath, join(root, 'scripts/start.mjs')]
  const child = spawn(program, [...first, ...args], {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', ...(home !== undefined && { RIDGELINE_HOME: home }), ...env },
  })
  let said = ''
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const url = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('utf8')
      const found = /the dashboard is at (\S+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    void ended.then((code) => reject(new Error(`npm start ended with code ${String(code)}: ${said}`)))
  })
  // A test that expects a failure never requests the address.
  url.catch(() => undefined)
  return {
    child,
    output: () => said,
    url,
    async ready(reason) {
      const address = await url
      for (;;) {
        const response = await fetch(`${address}/ready`).catch(() => undefined)
        const text = (await response?.text()) ?? ''
        if (reason === undefined ? response?.status === 200 : text.includes(reason)) return address
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`npm start ended:\n${said}`)
        await delay(250)
      }
    },
    ended,
    stop() {
      if (child.exitCode === null) child.kill('SIGINT')
      return ended
    },
  }
}

/** A folder that `remove` deletes. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'ridgeline-e2e-own-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Writes a configuration into a folder and returns its path. */
export function writeConfig(folder: string, config: unknown): string {
  const path = join(folder, 'config.json')
  writeFileSync(path, JSON.stringify(config))
  return path
}

type Process = {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }]
      } catch {
        // The process ended between listing and reading.
        return []
      }
    })
}

/** All living direct and indirect child processes of a process. Linux only. */
export function descendantsOf(pid: number): Process[] {
  const all = processes()
  const below = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
  return below(pid)
}

/** The processes that are still alive with the same command. */
export function survivors(before: readonly Process[]): Process[] {
  const now = new Map(processes().map((one) => [one.pid, one.command]))
  return before.filter(({ pid, command }) => now.get(pid) === command)
}

/** A free local port. */
export async function freePort(): Promise<string> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}
