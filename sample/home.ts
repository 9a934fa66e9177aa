import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readOptional } from './evm/store.ts'

/** The parameters of a home. The same values make the same chains. */
export type Origin = {
  readonly version: number
  readonly seed: number
  /** The history ends before this time, in Unix seconds. */
  readonly now: number
  readonly hours: number
  readonly density: number
}

/** The values that two homes with the same chains share, whenever they were created. */
export function settingsOf({ version, seed, hours, density }: Origin): string {
  return [version, seed, hours, density].join('/')
}

type Owner = {
  readonly pid: number
  readonly command: string
  readonly nodes: readonly { readonly pid: number; readonly command: string }[]
}

/** The folder of a network, locked by one process at a time. */
export type Home = {
  readonly folder: string
  /** Undefined for a new home and for an unreadable file; `damaged` then has the reason. */
  readonly origin: Origin | undefined
  readonly damaged: string | undefined
  /** The number of nodes that a killed predecessor had left running. */
  readonly orphansEnded: number
  writeOrigin(origin: Origin): void
  /** Records a node process, so that a successor can end it if this process is killed. */
  noteNode(pid: number): void
  release(): void
}

/** Another process runs on this home. */
class HomeInUseError extends Error {
  override readonly name = 'HomeInUseError'
}

/**
 * The command line of a process, or undefined if the id is unused. The system reuses ids, so no process is ended by
 * its id alone.
 */
function commandOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const raw = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return raw === '' ? undefined : raw
    }
    const [program, args] =
      process.platform === 'win32'
        ? [
            'powershell',
            [
              '-NoProfile',
              '-Command',
              `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
            ],
          ]
        : ['ps', ['-ww', '-o', 'args=', '-p', String(pid)]]
    const text = execFileSync(program as string, args as string[], { encoding: 'utf8' }).trim()
    return text === '' ? undefined : text
  } catch {
    // No such process, the usual case.
    return undefined
  }
}

function readOwner(file: string): Owner | undefined {
  try {
    const text = readOptional(file)
    return text === undefined ? undefined : (JSON.parse(text) as Owner)
  } catch {
    // A file truncated by a crash names no process.
    return undefined
  }
}

function endOrphans(owner: Owner | undefined): number {
  let ended = 0
  for (const node of owner?.nodes ?? []) {
    if (commandOf(node.pid) !== node.command) continue
    process.kill(node.pid, 'SIGKILL')
    ended += 1
  }
  return ended
}

function readOrigin(file: string): { origin: Origin | undefined; damaged: string | undefined } {
  try {
    const text = readOptional(file)
    if (text === undefined) return { origin: undefined, damaged: undefined }
    const found = JSON.parse(text) as Partial<Origin>
    const { version, seed, now, hours, density } = found
    if ([version, seed, now, hours, density].every((value) => Number.isSafeInteger(value))) {
      return { origin: found as Origin, damaged: undefined }
    }
    return { origin: undefined, damaged: 'network.json lacks a value' }
  } catch (error) {
    return {
      origin: undefined,
      damaged: `network.json: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

/**
 * Locks `folder`, creating it if necessary, and ends the nodes that a killed predecessor left. Throws
 * `HomeInUseError` while the process that holds it is alive.
 */
export function openHome(folder: string): Home {
  mkdirSync(folder, { recursive: true })
  const ownerFile = path.join(folder, 'owner.json')
  const originFile = path.join(folder, 'network.json')
  const predecessor = readOwner(ownerFile)
  if (
    predecessor !== undefined &&
    predecessor.pid !== process.pid &&
    commandOf(predecessor.pid) === predecessor.command
  ) {
    throw new HomeInUseError(
      `${folder} is in use by process ${predecessor.pid}; stop it or choose another folder with --home`,
    )
  }
  const orphansEnded = endOrphans(predecessor)
  const write = (file: string, content: unknown): void => {
    writeFileSync(`${file}.new`, JSON.stringify(content))
    renameSync(`${file}.new`, file)
  }
  const self = { pid: process.pid, command: commandOf(process.pid) ?? '' }
  const nodes: { pid: number; command: string }[] = []
  write(ownerFile, { ...self, nodes })
  return {
    folder,
    ...readOrigin(originFile),
    orphansEnded,
    writeOrigin: (origin) => write(originFile, origin),
    noteNode(pid) {
      nodes.push({ pid, command: commandOf(pid) ?? '' })
      write(ownerFile, { ...self, nodes })
    },
    release: () => rmSync(ownerFile, { force: true }),
  }
}
