import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programFile } from '../kernel/programs/program-file.ts'

const { path: program, isSource } = programFile('server', '../main.ts', import.meta.url)

/** The service in a process of its own. */
export type RunningProgram = {
  readonly url: string
  /** Throws with what it said last if it has ended. */
  isUp(): true
  /** What it has written to standard error. */
  errors(): string
  /** Ends it as an operator does; resolves with its exit code. */
  stop(): Promise<number | null>
  /** Ends it in any case. */
  discard(): Promise<void>
}

/** Starts the service as the launcher does, in a home of its own. Resolves once it listens. */
export async function runProgram(config: object, env: Record<string, string>): Promise<RunningProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'ridgeline-program-'))
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  const child = fork(program, [], {
    execArgv: isSource ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      RIDGELINE_CONFIG: join(folder, 'config.json'),
      RIDGELINE_HOME: folder,
      PORT: '0',
      ...env,
    },
  })
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  let hasEnded = false
  void exit.then(() => (hasEnded = true))
  const [message] = (await once(child, 'message')) as [{ type: string; url: string }]
  return {
    url: message.url,
    isUp: () => {
      if (hasEnded) throw new Error(`the service ended: ${errors}`)
      return true
    },
    errors: () => errors,
    stop: () => {
      child.kill('SIGTERM')
      return exit
    },
    discard: async () => {
      child.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true, force: true })
    },
  }
}
