import { watch } from 'node:fs'
import { expect } from 'vitest'
import { until } from '../../indexer/testing/harness.ts'
import { Random } from '../../indexer/testing/random.ts'
import { isAlive } from '../../kernel/is-alive.ts'
import type { Database } from '../../store/database.ts'
import { startStoreRelay } from '../../testing/store-relay.ts'
import { startLake, type LakeRun } from './run-lake.ts'

/** How often a test kills, and what its moments are drawn from. */
type KillSettings = { readonly kills: number; readonly seed: number; readonly timeout: number }

/**
 * What a test takes without settings; docs/testing.md. RIDGELINE_KILL_ROUNDS=50 kills that often, RIDGELINE_SEED=123
 * repeats a run.
 */
export function killSettings(defaults: { readonly kills: number; readonly seed: number }): KillSettings {
  const kills = Number(process.env['RIDGELINE_KILL_ROUNDS'] ?? defaults.kills)
  const seed = Number(process.env['RIDGELINE_SEED'] ?? defaults.seed)
  return { kills, seed, timeout: 120_000 + kills * 30_000 }
}

/** One event of a run. Returns whether what was seen still has its effect: a message may reach the database or not. */
type Event = (run: LakeRun) => boolean

type Started = { readonly run: LakeRun; end(): unknown }

/** Where a program writes to, in one run after the other until one of them is through. */
type Target = {
  /** Starts the program, which calls `event` at everything that it does, until `end`. */
  start(event: Event): Started | Promise<Started>
  /** The processes that may be killed; by default the program itself. */
  victims?(run: LakeRun): readonly (number | undefined)[]
  /** What must hold after a kill of the program. `when` names the moments, for the message of a failure. */
  afterKill(when: string): Promise<void>
  /** What must hold at the end. */
  whenThrough(when: string): Promise<void>
}

/** Kills of one target, after which its program is let through. */
const maxOfTarget = 4

/**
 * Starts a program again and again, and kills it after a random number of events each time, until it is through; begins
 * anew with another target until there were as many kills as wanted. A first run, which nobody disturbs, counts the events
 * of all.
 */
export async function killAtRandom(
  { kills, seed }: KillSettings,
  begin: () => Promise<Target>,
): Promise<void> {
  const random = new Random(seed)
  const events = await countEvents(await begin())
  let killed = 0
  for (let targets = 1; killed < kills; targets += 1) {
    expect(targets, `seed ${seed}: runs end before they are killed`).toBeLessThan(20 + kills * 4)
    const max = Math.min(kills - killed, maxOfTarget)
    killed += await killOnTarget(await begin(), {
      random,
      max,
      events,
      name: `seed ${seed}, target ${targets}`,
    })
  }
}

type Draws = {
  readonly random: Random
  readonly max: number
  readonly events: number
  readonly name: string
}

/** Runs a program on a target until it is through. Returns how often it was killed, `max` times at most. */
async function killOnTarget(target: Target, { random, max, events, name }: Draws): Promise<number> {
  const moments: number[] = []
  const when = (): string => `${name}, killed after ${moments.join(' and ')} of ${events} events`
  /** Runs the program once. Returns its exit code; null if it was killed. */
  const runOnce = async (): Promise<number | null> => {
    let seen = 0
    const draw = (): number | undefined =>
      moments.length < max ? seen + random.between(1, events) : undefined
    let moment = draw()
    const { run, end } = await target.start((running) => {
      seen += 1
      if (seen !== moment) return true
      const victim = random.pick(target.victims?.(running) ?? [running.process.pid])
      // It may have ended by itself.
      if (victim === undefined || !kill(victim)) return true
      moments.push(seen)
      // After a worker, another one may be killed in the same run.
      if (victim !== running.process.pid) moment = draw()
      return random.chance(0.5)
    })
    const code = await run.ended
    await end()
    // Workers end by themselves after their parent; until then their folders are theirs.
    await until('the workers end', () => Promise.resolve(!run.workers.some(isAlive)))
    if (code !== null) expect(code, `${when()}:\n${run.output.join('\n')}`).toBe(0)
    return code
  }
  while ((await runOnce()) === null) await target.afterKill(when())
  await target.whenThrough(when())
  return moments.length
}

/** The events of a run that nobody disturbs, which must end as the killed ones do. */
async function countEvents(target: Target): Promise<number> {
  let events = 0
  const { run, end } = await target.start(() => (events += 1) > 0)
  expect(await run.ended, run.output.join('\n')).toBe(0)
  await end()
  await target.whenThrough('undisturbed')
  return events
}

/** A run of `lake load` into a database: its events are what it sends there. */
export async function startLoader(
  databaseUrl: string,
  args: readonly string[],
  event: Event,
  env: NodeJS.ProcessEnv = {},
): Promise<Started> {
  let run: LakeRun | undefined
  const relay = await startStoreRelay(databaseUrl, () => run === undefined || event(run))
  run = startLake(['load', ...args], { ...env, DATABASE_URL: relay.url })
  return { run, end: () => relay.stop() }
}

/** A run that writes a lake into a folder: its events are files and folders that appear, move or grow. */
export function startWriter(root: string, args: readonly string[], event: Event): Started {
  const run = startLake(args)
  return { run, end: watchFiles(root, () => void event(run)) }
}

/** Kills a process; false if it has ended. */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** Calls `event` when a file or folder below an existing folder appears, moves or grows. Returns the end. */
export function watchFiles(folder: string, event: () => void): () => void {
  const watcher = watch(folder, { recursive: true }, event)
  // A folder may be gone before it is watched.
  watcher.on('error', () => undefined)
  return () => watcher.close()
}

/** Waits until the server has rolled back, or ended, what a killed program of the lake was doing in a database. */
export async function untilNoLoader(database: Database): Promise<void> {
  await until('the server notices the end of a loader', async () => {
    const rows = await database`
      select from pg_stat_activity where datname = current_database() and application_name = 'ridgeline lake'`
    return rows.length === 0
  })
}
