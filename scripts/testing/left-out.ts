import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Which tests a run has, as scripts/test.mjs sets it: `quick` those of `npm test`, `long` those of `npm run test:long`, and a
 * share such as `1/3` the quick ones with that part of the long ones. Undefined where files are named: then all.
 */
export const chosenTests = process.env['RIDGELINE_TESTS']

/** The long test files of some rooms, by their ending, that the run leaves out: paths from the project's folder. */
export function leftOutTests(rooms: readonly string[], ending: string): string[] {
  if (chosenTests === undefined || chosenTests === 'long') return []
  const [share = 0, shares = 1] = chosenTests === 'quick' ? [] : chosenTests.split('/').map(Number)
  return rooms
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
    )
    .filter((file) => file.endsWith(ending))
    .toSorted()
    .filter((_, place) => (place % shares) + 1 !== share)
}
