import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A folder below `.cache/bench`, created if missing, whose contents later runs may reuse. */
export function cacheFolder(name: string): string {
  const folder = join(root, '.cache', 'bench', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Prints one line of progress; figures follow in the table at the end. */
export function say(line: string): void {
  console.log(`bench  ${line}`)
}
