// Where the tests write: in memory, if there is room. On a disk, creating the files of some three hundred databases and
// homes was a fifth of the CPU time of a run.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const place = '/dev/shm'
const prefix = 'ridgeline-tests-'
/** A whole run writes less than 1 GB at a time; the log of one database may grow to 2 GB. */
const needed = 8 * 2 ** 30

/**
 * Lets this process and its children keep temporary files in memory (`TMPDIR`), in a folder that is removed when this
 * process ends. Does nothing if `TMPDIR` is set, or if less than 8 GB are free in /dev/shm or in memory.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  removeAbandoned()
  const folder = join(place, `${prefix}${process.pid}`)
  mkdirSync(folder)
  // As /tmp: a database server that root starts runs as another user.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize > needed && freemem() > needed
  } catch {
    return false
  }
}

/**
 * Removes the folders of runs that were killed: what is kept in memory is lost to the machine otherwise. Programs that such
 * a run has left may still write to its folder: a later run removes it.
 */
function removeAbandoned() {
  for (const name of readdirSync(place)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0
    if (pid === 0 || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(place, name), { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'ENOTEMPTY') throw error
    }
  }
}
