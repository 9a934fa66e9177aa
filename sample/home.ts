import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readOptional } from './evm/store.ts'

/** What a home was made from. The same values make the same chains. */
export type Origin = {
  readonly version: number
  readonly seed: number
  /** Unix seconds that the history ends before. */
  readonly now: number
  readonly hours: number
  readonly density: number
}

/** What two homes must share to hold the same chains, whenever they were made. */
export function settingsOf({ version, seed, hours, density }: Origin): string {
  return [version, seed, hours, density].join('/')
}

type Owner = {
  readonly pid: number
  readonly command: string
  readonly nodes: readonly { readonly pid: number; readonly command: string }[]
}

/** The folder of a network, held by one process at a time. */
export type Home = {
  readonly folder: string
  /** Undefined for a new home and for one whose file cannot be read; `damaged` then says why. */
  readonly origin: Origin | undefined
  readonly damaged: string | undefined
  /** How many nodes a killed predecessor had left behind. */
  readonly orphansEnded: number
  writeOrigin(origin: Origin): void
  /** Writes down a node process, so that a successor can end it if we are killed. */
  noteNode(pid: number): void
  release(): void
}

/** Another process runs on this home. */
export class HomeInUseError extends Error {
  override readonly name = 'HomeInUseError'
}

/**
 * The command line of a process, or undefined when there is none with this id. Ids are used again by the system, so
 * nothing is ever ended by its id alone.
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
    // No such process, which is the usual answer here.
    return undefined
  }
}

function readOwner(file: string): Owner | undefined {
  try {
    const text = readOptional(file)
    return text === undefined ? undefined : (JSON.parse(text) as Owner)
  } catch {
    // A file cut by a crash names nobody.
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
 * Takes hold of `folder`, making it if needed, and ends the nodes that a killed predecessor left. Throws
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
