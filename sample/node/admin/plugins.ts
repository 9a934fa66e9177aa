import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ServiceError } from '../rpc/service-errors.ts'
import { fromCb58 } from '../rpc/text.ts'

/** What a look into the folder of plugins found that was not there before. */
export interface FoundPlugins {
  /** The names of virtual machines that were taken in, by their ids. */
  readonly loaded: Readonly<Record<string, readonly string[]>>
  /** Why others were not. */
  readonly failed: Readonly<Record<string, string>>
}

/** The node's folder of virtual machines: one file each, named by the machine's id. */
export interface Plugins {
  /** Throws `ServiceError` when a file is not named by an id; nothing is taken in then. */
  load(): FoundPlugins
}

/** A file of the sample's own says with this line what else the machine is called. Nothing is ever run. */
const MARK = 'ridgeline sample virtual machine'

const SHIPPED: Readonly<Record<string, string>> = {
  sqja3uK17MJxfC7AN8nGadBw9JK5BcrsNwNynsqP5Gih8M5Bm: `${MARK}: spaces\n`,
  tGas3T58KzdjLHhBDMnH2TvrddhqTji5iZAMZ3RXs2NLpSnhH: 'cut short\n',
}

function namesIn(file: string): readonly string[] | undefined {
  const [first = ''] = readFileSync(file, 'utf8').slice(0, 1024).split('\n', 1)
  if (!first.startsWith(`${MARK}:`)) return undefined
  return first
    .slice(MARK.length + 1)
    .split(' ')
    .filter((name) => name !== '')
}

function isId(name: string): boolean {
  try {
    return fromCb58(name).length === 32
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

/** The plugins of a folder, which is made with one machine that can be taken in and one that cannot. */
export function openPlugins(folder: string): Plugins {
  mkdirSync(folder, { recursive: true })
  for (const [id, content] of Object.entries(SHIPPED)) writeFileSync(path.join(folder, id), content)
  const known = new Set<string>()
  return {
    load() {
      const names = readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name.replace(/\..*$/, ''))
        .filter((name) => name !== '')
      const wrong = names.find((name) => !isId(name))
      if (wrong !== undefined) throw new ServiceError(`invalid vmID: ${JSON.stringify(wrong)}`)
      const loaded: Record<string, readonly string[]> = {}
      const failed: Record<string, string> = {}
      for (const id of names.filter((name) => !known.has(name)).toSorted()) {
        known.add(id)
        const machine = namesIn(path.join(folder, id))
        if (machine === undefined) failed[id] = 'handshake failed: vm process not found'
        else loaded[id] = machine
      }
      return { loaded, failed }
    },
  }
}
