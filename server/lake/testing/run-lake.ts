import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { programFile } from '../../kernel/programs/program-file.ts'
import { openEngine } from '../engine.ts'
import { Extractor, type ExtractSource } from '../extract-range.ts'
import type { WantedRange } from '../manifest.ts'

const program = programFile('lake', '../program/main.ts', import.meta.url)
const loader = program.isSource ? ['--import', 'tsx'] : []

/** A running `lake` command. */
export type LakeRun = {
  readonly process: ChildProcess
  /** The ids of the workers that it started, the newest last. */
  readonly workers: readonly number[]
  /** What it has printed so far. */
  readonly output: readonly string[]
  /** The exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

/** Starts the program of `npm run lake`. */
export function startLake(args: readonly string[], env: NodeJS.ProcessEnv = {}): LakeRun {
  const child = spawn(process.execPath, [...loader, program.path, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const workers: number[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      output.push(line)
      const pid = /^worker (\d+) started$/.exec(line)?.[1]
      if (pid !== undefined) workers.push(Number(pid))
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { process: child, workers, output, ended }
}

/** Runs a `lake` command to its end. */
export async function runLake(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; output: string }> {
  const run = startLake(args, env)
  const code = await run.ended
  return { code, output: run.output.join('\n') }
}

/** The SHA-256 of every file below a folder, by its path. */
export async function contentOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const pairs = await Promise.all(
    files.toSorted().map(async (file): Promise<[string, string]> => {
      const hash = createHash('sha256').update(await readFile(file))
      return [file.slice(folder.length + 1), hash.digest('hex')]
    }),
  )
  return Object.fromEntries(pairs)
}

/** Writes ranges in this process. */
export async function writeRanges(
  source: Pick<ExtractSource, 'root' | 'rpcUrl' | 'chain'> & Partial<ExtractSource>,
  ranges: readonly WantedRange[],
): Promise<void> {
  const engine = await openEngine(source.root)
  const extractor = new Extractor({ traces: 'trace', concurrency: 4, ...source }, engine)
  try {
    for (const range of ranges) await extractor.write(range, new AbortController().signal)
  } finally {
    extractor.close()
    engine.close()
  }
}
