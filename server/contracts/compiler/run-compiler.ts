import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { bareEnvironment, programFile } from '../../kernel/programs/program-file.ts'

/** The limits of one compilation. */
type CompilerLimits = {
  readonly seconds: number
  /** Of the compiler, and as much again at most of the process around it. */
  readonly memoryMegabytes: number
  readonly outputBytes: number
}

/** A compilation that ended without an answer; the message is for whoever sent the sources. */
export class CompilerFailure extends Error {
  override readonly name = 'CompilerFailure'
}

const mebibyte = 1_048_576

/** The characters of the process's complaints that are looked at. */
const maxComplaint = 20_000

/**
 * Compiles standard JSON by the Emscripten build `file`, in a process of its own that gets no environment, and that may
 * neither read other files, write any, nor start processes. Resolves with the compiler's answer, which tells errors in
 * the sources; rejects with a CompilerFailure if a limit is reached or the compiler fails, and with the signal's reason.
 */
export function runCompiler(
  file: string,
  input: string,
  limits: CompilerLimits,
  signal?: AbortSignal,
): Promise<string> {
  const { path, isSource } = programFile('compiler', 'compiler-process.ts', import.meta.url)
  // A loader of TypeScript reads its own files, so that sources run without the permissions of Node.
  const start = isSource
    ? ['--import', import.meta.resolve('tsx')]
    : ['--experimental-permission', `--allow-fs-read=${file}`, `--allow-fs-read=${dirname(path)}`]
  const child = spawn(
    process.execPath,
    ['--no-warnings', `--max-old-space-size=${limits.memoryMegabytes}`, ...start, path],
    {
      env: bareEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let complaint = ''
    const end = (reason: unknown): void => {
      reject(reason)
      child.kill('SIGKILL')
    }
    const timer = setTimeout(
      () => end(new CompilerFailure(`the compiler took longer than ${limits.seconds} seconds`)),
      limits.seconds * 1_000,
    )
    const abort = (): void => end(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limits.outputBytes) chunks.push(chunk)
      else end(new CompilerFailure(`the compiler wrote more than ${limits.outputBytes} bytes`))
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < maxComplaint) complaint += text
    })
    // A process that has ended by itself no longer reads its input.
    child.stdin.on('error', () => undefined)
    child.once('error', (error) => end(error))
    child.once('close', (code) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if (code === 0) return resolve(Buffer.concat(chunks).toString('utf8'))
      reject(new CompilerFailure(reasonOf(complaint, limits)))
    })
    child.stdin.end(JSON.stringify({ file, memoryBytes: limits.memoryMegabytes * mebibyte, input }))
  })
}

function reasonOf(complaint: string, { memoryMegabytes }: CompilerLimits): string {
  return /memory|heap|allocat/i.test(complaint)
    ? `the compiler needed more than ${memoryMegabytes} megabytes`
    : 'the compiler ended without an answer'
}
