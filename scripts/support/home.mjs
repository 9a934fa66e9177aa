// Who runs on a home folder: `<home>/processes.json` lists the launcher and what it has started. A start refuses a home
// that is in use, and waits for what a killed launcher has left.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fail, say } from './bootstrap.mjs'

/** Milliseconds in which the programs of a killed launcher end by themselves. */
const timeoutMs = 20_000

/**
 * When a process started, as reported by the system: together with it, a pid identifies a process although
 * pids are reused. Undefined if there is no such process, and '' if the system does not report it.
 */
export function beginningOf(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code !== 'EPERM') return undefined
  }
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The command's name is in parentheses and may contain anything; the third field follows it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' ? undefined : `${boot} ${fields[19]}`
    }
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    // The process ended between the two reads, or the system does not report it: then the pid alone is used.
    return process.platform === 'linux' ? undefined : ''
  }
}

function isRunning({ pid, began }) {
  return beginningOf(pid) === began
}

let file
let processes = []

function write() {
  writeFileSync(`${file}.new`, JSON.stringify(processes))
  renameSync(`${file}.new`, file)
}

function read() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The file is missing or truncated: no process is known.
    return []
  }
}

/** Creates the home. Ends the program with code 2 if nothing can be written there. */
export function requireWritable(home) {
  const probe = join(home, `.writable-${process.pid}`)
  try {
    mkdirSync(home, { recursive: true })
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    fail(
      `the data folder ${home} can't be written (${error.code}): give it to this user, or choose another with RIDGELINE_HOME`,
      2,
    )
  }
}

/**
 * Claims the home for this process until it ends. Ends the program with code 2 if another launcher uses it,
 * or if a process left by a killed launcher does not end.
 */
export async function claimHome(home) {
  requireWritable(home)
  file = join(home, 'processes.json')
  const [launcher, ...others] = read().filter(isRunning)
  if (launcher?.name === 'launcher') {
    const how = process.platform === 'win32' ? 'Ctrl-C in its terminal' : `kill ${launcher.pid}`
    fail(
      `${home} is in use by process ${launcher.pid}: end it with ${how}, or choose another folder with RIDGELINE_HOME`,
      2,
    )
  }
  await untilGone([launcher, ...others].filter(Boolean))
  note('launcher', process.pid)
  process.once('exit', () => rmSync(file, { force: true }))
}

/**
 * Waits for the processes of a killed launcher. The project's own programs end by themselves; others are
 * ended.
 */
async function untilGone(left) {
  if (left.length === 0) return
  say(`an earlier start was killed: waiting for its ${left.map(describe).join(', ')} to end …`)
  for (const { pid, endsItself } of left) if (!endsItself) endProcess(pid, 'SIGTERM')
  const deadline = Date.now() + timeoutMs
  while (left.some(isRunning)) {
    if (Date.now() > deadline) {
      const still = left.filter(isRunning)
      const pids = still.map(({ pid }) => pid).join(' ')
      const how = process.platform === 'win32' ? `taskkill /F /PID ${pids}` : `kill -9 ${pids}`
      fail(
        `the ${still.map(describe).join(', ')} of an earlier start does not end: end it with ${how}, then start again`,
        2,
      )
    }
    await delay(50)
  }
}

const describe = ({ name, pid }) => `${name} (process ${pid})`

/** Records a started process; `endsItself` if it ends once the launcher is gone. */
export function note(name, pid, endsItself = true) {
  if (file === undefined) return
  processes.push({ name, pid, began: beginningOf(pid), endsItself })
  write()
}

/** Removes an ended process from the list. */
export function forget(pid) {
  if (file === undefined) return
  processes = processes.filter((each) => each.pid !== pid)
  write()
}

/** Sends a signal to a process that may have ended. */
export function endProcess(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
