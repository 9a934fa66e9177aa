import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './paths.ts'

/** A run of a program: wall time, and CPU of all its processes. */
export type Timing = { readonly seconds: number; readonly cpuSeconds: number }

/** How the built `lake` is started with these arguments. */
export const lakeArgs = (...args: readonly string[]): [string, string[]] => [
  process.execPath,
  [join(root, 'dist/node/lake.js'), ...args],
]

/**
 * Runs a program to its end; throws if it fails. The CPU seconds are those of all its ended children too. What it prints
 * goes to the file `output`.
 */
export async function run(
  [file, args]: [string, string[]],
  env: NodeJS.ProcessEnv = {},
  output = '/dev/null',
): Promise<Timing> {
  // A shell reports what the program and its own children used, once it has waited for them.
  const script = '"$@" >"$OUTPUT" || exit 1; times >&2'
  const began = performance.now()
  const child = spawn('bash', ['-c', script, 'bash', file, ...args], {
    env: { ...process.env, NODE_ENV: 'production', OUTPUT: output, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  const seconds = (performance.now() - began) / 1_000
  if (code !== 0) throw new Error(`${file} ${args[0]} failed: ${text}`)
  const children = text.trim().split('\n').at(-1) ?? ''
  const cpuSeconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  )
  return { seconds, cpuSeconds }
}
