import { spawn } from 'node:child_process'
import { anvilBinary } from '../../sample/evm/anvil/anvil.ts'

export { anvilBinary }

export type RunningAnvil = {
  readonly url: string
  stop(): void
}

/** A node as started by a developer: only the binary, one block per transaction; `args` are further ones of its own. */
export async function startAnvil(args: readonly string[] = []): Promise<RunningAnvil> {
  const child = spawn(anvilBinary(), ['--host', '127.0.0.1', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const port = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
      const found = /Listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`anvil ended with code ${String(code)}`)))
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') }
}
