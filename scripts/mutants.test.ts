import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from './support/mutants.mjs'

// A mutant whose text no longer exists breaks nothing, which only the long run of `npm run test:mutants`
// would reveal.
test.each(mutants)('$name: the mutant can be made', ({ file, from, to }) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
})
