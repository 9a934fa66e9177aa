import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import compiled from './contracts.json' with { type: 'json' }

test('contracts.json was made from the sources that are here', () => {
  const folder = new URL('./', import.meta.url)
  const hashes = readdirSync(folder)
    .filter((name) => name.endsWith('.sol'))
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(new URL(name, folder)))
        .digest('hex'),
    ])
  expect(Object.fromEntries(hashes), `run: ${compiled.command}`).toEqual(compiled.sources)
})
