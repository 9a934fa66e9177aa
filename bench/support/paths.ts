import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A folder below `.cache/bench`, made when it is missing: what later runs may use again. */
export function cacheFolder(name: string): string {
  const folder = join(root, '.cache', 'bench', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** One line about what goes on; figures come in the table at the end. */
export function say(line: string): void {
  console.log(`bench  ${line}`)
}
