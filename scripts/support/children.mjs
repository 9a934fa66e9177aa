// Starts and ends the programs behind `npm start`: each in a process group of its own, so that Ctrl-C
// reaches only us and we end them in order; each ends by itself when our end of its channel closes.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root, say } from './bootstrap.mjs'
import { beginningOf, endProcess, forget, note } from './home.mjs'

const children = []
/** The service's PostgreSQL, which must be ended here if the service is killed. */
let database
let ending = false

// The output may have no reader (`npm start | head`), which must not end the program.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

/**
 * Starts one of the project's programs with a message channel, or another `program` without one, in `cwd`.
 * Its output goes to `<home>/logs/<name>.log`. `onMessage` receives its messages; if it ends by itself,
 * everything ends with its exit code.
 */
export function start(name, command, { home, env = {}, program, cwd = root, onMessage }) {
  mkdirSync(join(home, 'logs'), { recursive: true })
  const logFile = join(home, 'logs', `${name}.log`)
  const log = createWriteStream(logFile, { flags: 'a' })
  const child = spawn(program ?? process.execPath, command, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(program === undefined ? ['ipc'] : [])],
    env: { ...process.env, ...env },
  })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  log.once('error', (error) => {
    say(`${logFile} can't be written any more (${error.code}); ${name} goes on without it`)
    // The child must not block on unread output.
    child.stdout.resume()
    child.stderr.resume()
  })
  if (child.pid !== undefined) note(name, child.pid, program === undefined)
  let tail = ''
  child.stderr.on('data', (chunk) => {
    tail = (tail + chunk).slice(-2000)
  })
  child.on('message', (message) => {
    if (message.type === 'database') database = { pid: message.pid, began: beginningOf(message.pid) }
    onMessage?.(message)
  })
  child.once('exit', (code, signal) => {
    if (child.pid !== undefined) forget(child.pid)
    if (ending) return
    const last = tail.trim().split('\n').slice(-3).join('\n')
    if (last !== '') console.error(last)
    if (code !== 2) say(`${name} ended (${signal ?? `code ${code}`}); its log is ${logFile}`)
    void end(code === 0 ? 1 : (code ?? 1))
  })
  children.push({ name, child })
  return child
}

/** Ends the children in reverse order of start, and then this process. */
export async function end(code) {
  if (ending) return
  ending = true
  for (const { name, child } of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    // The sample saves what it has made: on a busy machine that takes a while, and without it the next start makes it again.
    const timeoutMs = setTimeout(() => {
      say(`${name} does not end: killed`)
      child.kill('SIGKILL')
    }, 60_000)
    await ended
    clearTimeout(timeoutMs)
  }
  await endDatabase()
  process.exit(code)
}

/** Ends the service's PostgreSQL if the service did not do it. */
async function endDatabase() {
  if (database === undefined || beginningOf(database.pid) !== database.began) return
  endProcess(database.pid, 'SIGINT')
  const deadline = Date.now() + 10_000
  while (beginningOf(database.pid) === database.began) {
    if (Date.now() > deadline) return endProcess(database.pid, 'SIGQUIT')
    await delay(20)
  }
}

const reasons = { SIGINT: 'Ctrl-C', SIGTERM: 'SIGTERM', SIGHUP: 'its terminal was closed' }

/**
 * Ctrl-C, SIGTERM, and the end of the parent npm shut everything down in order; a second Ctrl-C immediately.
 */
export function endOnSignals() {
  const stop = (reason) => {
    if (ending) {
      for (const { child } of children) child.kill('SIGKILL')
      if (database && beginningOf(database.pid) === database.began) endProcess(database.pid, 'SIGQUIT')
      process.exit(130)
    }
    say(`stopping: ${reason} …`)
    void end(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(reasons[signal]))
  // npm does not forward the signal that kills it, so its end is detected here.
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent && !ending) stop('the shell or npm that started it has ended')
  }, 500).unref()
}
