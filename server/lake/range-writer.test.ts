import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEngine } from './engine.ts'
import { tableFile } from './manifest.ts'
import { RangeWriter } from './range-writer.ts'
import { bytesOfRows, nullText, quoted } from './rows.ts'
import { StoredRows, textOfRows } from './stored-rows.ts'
import { lakeTableNames, type LakeTable } from './tables.ts'

const hash = `0x${'11'.repeat(32)}`
const facts = {
  chain: 7,
  genesisHash: hash,
  client: 'test',
  traces: 'trace',
  first: { hash, parentHash: hash, ts: 1 },
  last: { hash, ts: 1 },
} as const

/** Contracts choose the texts of their failures. */
const texts = [
  'plain',
  'a "quoted" word',
  '"',
  '""',
  "it's",
  'tab\there',
  'line\nbreak',
  'both\r\nof them',
  'only\rone',
  '\\N',
  '\\',
  'NULL',
  ' spaces ',
  ',;|',
  'ünï😀',
  'x'.repeat(1_000),
]

test('texts that contracts chose, nulls and rows larger than a buffer come back as they were', async () => {
  const root = await mkdtemp(join(tmpdir(), 'ridgeline-rows-'))
  const engine = await openEngine(root)
  const range = { from: 1, to: 1 }
  const address = `0x${'ab'.repeat(20)}`
  const call = (text: string | undefined, ordinal: number) =>
    `1\t0\t${ordinal}\t5\t1\t"CALL"\ttrue\t${address}\t${nullText}\t${(1n << 256n) - 1n}\t${2n ** 64n - 1n}\t0\t0x00ff\t${nullText}\t${quoted(text) ?? nullText}\n`
  const calls = [...texts, undefined].map(call).join('')
  const large = `1\t0\t5\t0\t${address}\t${hash}\t${nullText}\t${nullText}\t${nullText}\t0x${'00ff'.repeat(8_000_000)}\n`
  const rows = { ...empty(''), calls, logs: large }
  const counts = { ...empty(0), calls: texts.length + 1, logs: 1 }
  const writer = await RangeWriter.create({ root, chain: 7, range, engine })
  await writer.add(bytesOfRows(rows), counts)
  const manifest = await writer.finish(facts)
  expect(manifest.files.calls.rows).toBe(texts.length + 1)
  for (const table of ['calls', 'logs'] as const) {
    const stored = await StoredRows.open(await engine.connect(), table, tableFile(root, 7, table, range), 0)
    expect(textOfRows(table, await stored.take(1)) === rows[table]).toBe(true)
    expect(await stored.left()).toBeUndefined()
    stored.close()
  }
  engine.close()
  await rm(root, { recursive: true })
})

test('a count that differs from the rows stops the range', async () => {
  const root = await mkdtemp(join(tmpdir(), 'ridgeline-rows-'))
  const engine = await openEngine(root)
  const writer = await RangeWriter.create({ root, chain: 7, range: { from: 1, to: 1 }, engine })
  await writer.add(bytesOfRows(empty('')), { ...empty(0), logs: 1 })
  await expect(writer.finish(facts)).rejects.toThrow('logs: 0 rows were written instead of 1')
  await writer.discard()
  engine.close()
  await rm(root, { recursive: true })
})

const empty = <Value>(value: Value) =>
  Object.fromEntries(lakeTableNames.map((table) => [table, value])) as Record<LakeTable, Value>
