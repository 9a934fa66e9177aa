import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import {
  descendantsOf,
  freePort,
  launch,
  survivors,
  temporaryFolder,
  type Launched,
} from '../e2e/support/launcher.ts'
import { Random } from '../server/indexer/testing/random.ts'

/**
 * Rounds of each kind; `RIDGELINE_KILL_ROUNDS=10 npx vitest run scripts/kill.long.test.ts` runs thirty in total.
 */
const rounds = Number(process.env['RIDGELINE_KILL_ROUNDS'] ?? 1)
const seed = Number(process.env['RIDGELINE_SEED'] ?? 5)
const random = new Random(seed)
const verify = fileURLToPath(new URL('verify.mjs', import.meta.url))
/** For waiting on other programs on a busy machine. */
const patient = { interval: 250 }

const folder = temporaryFolder()
let stack: Launched | undefined
afterAll(async () => {
  if (stack?.child.exitCode === null) await stack.stop()
  folder.remove()
})

const ports = { PORT: await freePort(), SAMPLE_PORT: await freePort() }

function start(): Launched {
  stack = launch({ home: folder.path, env: { ...ports, RIDGELINE_SAMPLE_ARGS: '--hours 24' } })
  return stack
}

/** The pid of a process that `npm start` has recorded, by name. */
function listed(name: string): number | undefined {
  try {
    const list = JSON.parse(readFileSync(join(folder.path, 'processes.json'), 'utf8')) as {
      name: string
      pid: number
    }[]
    return list.find((each) => each.name === name)?.pid
  } catch {
    // The file is not written yet.
    return undefined
  }
}

/** Runs `npm run verify` on the home and returns its exit code and output. */
async function verified(): Promise<{ code: number; output: string }> {
  const env = { ...process.env, RIDGELINE_HOME: folder.path }
  const child = spawn(process.execPath, [verify], { stdio: ['ignore', 'pipe', 'pipe'], env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  return { code, output }
}

/** The process may have ended by itself after its parent was killed. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const kinds = {
  launcher: (launcher: number) => [launcher],
  service: () => [listed('service')].filter((pid) => pid !== undefined),
  everything: (launcher: number) => [launcher, ...descendantsOf(launcher).map(({ pid }) => pid)],
}

describe.runIf(process.platform === 'linux')(`kill -9, seed ${seed}`, () => {
  const plan = Array.from({ length: rounds }, (_, round) =>
    Object.keys(kinds).map((kind) => ({ kind: kind as keyof typeof kinds, round: round + 1 })),
  ).flat()

  test.each(plan)(
    'of the $kind, round $round: all ends, a start continues, verify is clean',
    { timeout: 600_000 },
    async ({ kind }) => {
      // Half of the kills hit a running stack, the other half one that is starting.
      if (stack?.child.exitCode === null && random.chance(0.5)) expect(await stack.stop()).toBe(0)
      const target = stack?.child.exitCode === null && stack.child.signalCode === null ? stack : start()
      const launcher = target.child.pid ?? 0
      if (kind === 'service') await expect.poll(() => listed('service'), patient).toBeDefined()
      await delay(random.between(0, 6_000))
      const before = descendantsOf(launcher)
      for (const pid of kinds[kind](launcher)) killNow(pid)
      await target.ended
      await expect.poll(() => survivors(before).map(({ command }) => command), patient).toEqual([])

      const next = start()
      await expect.poll(next.output, patient).toContain('every chain is live')
      expect((await fetch(new URL('/health', await next.url))).status).toBe(200)
      const { code, output } = await verified()
      expect(output).not.toContain('FAILED')
      expect(code).toBe(0)
    },
  )
})
