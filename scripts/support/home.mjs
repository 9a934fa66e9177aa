// Who runs on a home folder: `<home>/processes.json` lists the launcher and what it has started. A start refuses a home
// that is in use, and waits for what a killed launcher has left.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fail, say } from './bootstrap.mjs'

/** Milliseconds in which the programs of a killed launcher end by themselves. */
const patienceMs = 20_000

/**
 * When a process began, in the system's own words: with it an id names one process for ever, though the system uses ids
 * again. Undefined when there is no such process, and '' where the system does not tell.
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
      // The command's name stands in parentheses and may hold anything; what follows it is the third field.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' ? undefined : `${boot} ${fields[19]}`
    }
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    // It ended between the two looks, or the system does not tell: then the id alone has to do.
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
    // There is none, or it was cut: nobody is known.
    return []
  }
}

/**
 * Takes the home for this process, until it ends. Ends the program with code 2 when another launcher has it, or when
 * something that a killed one has left doesn't end.
 */
export async function claimHome(home) {
  mkdirSync(home, { recursive: true })
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

/** Waits for the processes of a killed launcher. Our own programs end by themselves; others are ended. */
async function untilGone(left) {
  if (left.length === 0) return
  say(`an earlier start was killed: waiting for its ${left.map(describe).join(', ')} to end …`)
  for (const { pid, endsItself } of left) if (!endsItself) endProcess(pid, 'SIGTERM')
  const deadline = Date.now() + patienceMs
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

/** Writes down a process that was started; `endsItself` when it ends once the launcher is gone. */
export function note(name, pid, endsItself = true) {
  if (file === undefined) return
  processes.push({ name, pid, began: beginningOf(pid), endsItself })
  write()
}

/** Takes a process that has ended off the list. */
export function forget(pid) {
  if (file === undefined) return
  processes = processes.filter((each) => each.pid !== pid)
  write()
}

/** Sends a signal to a process that may be gone by now. */
export function endProcess(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
