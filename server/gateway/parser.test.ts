import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nodeMethods, type NodeEndpoint } from '../../contract/node/node-methods.ts'
import { testConfig } from '../testing/config.ts'
import { readMessage, type Rules } from './calls.ts'
import { AmbiguousJson, readTopLevel } from './json-text.ts'
import { admitMethod } from './privileges.ts'

const runs = { numRuns: 2_000 }
const rules = (endpoints: readonly NodeEndpoint[] = ['evm']): Rules => ({
  endpoints,
  takesBatches: true,
  isSocket: false,
  config: testConfig().gateway,
  admit: (method, shown) => admitMethod(method, shown, testConfig().gateway, () => undefined),
})

/** Names that may pass to an EVM endpoint, taken from the catalogue by hand: open and over HTTP. */
const open = new Set(
  nodeMethods
    .filter(({ endpoint, closedBy, isSocketOnly }) => endpoint === 'evm' && !closedBy && !isSocketOnly)
    .map(({ method }) => method),
)

const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 })
const name = fc.oneof(
  fc.constantFrom(...open),
  fc.constantFrom(
    'debug_getBadBlocks',
    'eth_sign',
    'admin.alias',
    'ETH_CHAINID',
    '__proto__',
    'eth_chainId ',
  ),
  fc.string(),
)
const key = fc.oneof(
  fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'Method', '__proto__', 'method ', 'constructor'),
  fc.string(),
)

/** The JSON text of a string, some of its characters escaped where nobody has to. */
const written = (text: string): fc.Arbitrary<string> =>
  fc
    .boolean()
    .map((escapes) =>
      escapes
        ? `"${[...text].map((character) => [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')).join('')}"`
        : JSON.stringify(text),
    )

/** Texts that look like calls: members in any order, any of them twice, spaces anywhere, lists in lists. */
const callText = fc
  .array(
    fc.tuple(
      space,
      key.chain(written),
      space,
      fc.oneof(name.chain(written), fc.constant('"2.0"'), fc.json({ maxDepth: 3 })),
      space,
    ),
    { maxLength: 6 },
  )
  .map((members) => `{${members.map(([a, b, c, d, e]) => `${a}${b}${c}:${d}${e}`).join(',')}}`)
const goodCall = fc
  .tuple(
    name,
    fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    fc.array(fc.jsonValue(), { maxLength: 3 }),
  )
  .map(([method, id, params]) => JSON.stringify({ jsonrpc: '2.0', id, method, params }))
const anyText = fc.oneof(
  callText,
  goodCall,
  fc.array(fc.oneof(callText, goodCall), { maxLength: 5 }).map((texts) => `[${texts.join(',')}]`),
  fc.json(),
  fc.string(),
)

/** Whether any object has a duplicate key, by a parser that keeps every pair. */
function hasKeyTwice(text: string): boolean {
  // JSON.parse drops the first of two equal keys: what is written again then has fewer members.
  const colons = (json: string): number => json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length
  return colons(text) !== colons(JSON.stringify(JSON.parse(text)))
}

describe('arbitrary text', () => {
  test('passes only with names of the catalogue and four members that every parser reads alike', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const message = readMessage(text, rules())
        if ('text' in message) {
          const answer = JSON.parse(message.text) as unknown
          for (const item of [answer].flat()) expect(item).toMatchObject({ jsonrpc: '2.0', error: {} })
          return
        }
        const given = [JSON.parse(text) as Record<string, unknown>].flat()
        expect(message.items).toHaveLength(given.length)
        for (const [place, item] of message.items.entries()) {
          if ('answer' in item) {
            expect(message.isBatch).toBe(true)
            if (item.answer !== undefined)
              expect(JSON.parse(item.answer)).toMatchObject({ jsonrpc: '2.0', error: {} })
            continue
          }
          const sent = item.call.text
          const read = JSON.parse(sent) as Record<string, unknown>
          expect(
            Object.keys(read).every((each) => ['jsonrpc', 'id', 'method', 'params'].includes(each)),
          ).toBe(true)
          expect(open.has(String(read['method']))).toBe(true)
          expect(hasKeyTwice(sent)).toBe(false)
          const { jsonrpc, id, method, params } = given[place] ?? {}
          expect(read).toEqual(JSON.parse(JSON.stringify({ jsonrpc, id, method, params })))
        }
      }),
      runs,
    )
  })

  test('has its duplicate keys found, and no others', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          callText,
          fc.array(callText).map((texts) => `[${texts.join(',')}]`),
        ),
        (text) => {
          const read = (): unknown => readTopLevel(text, 64)
          if (hasKeyTwice(text)) expect(read).toThrow(AmbiguousJson)
          else expect(read).not.toThrow()
        },
      ),
      runs,
    )
  })

  test('has the parts of an object located', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.integer({ max: 4, min: 0 }),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent)
          const top = readTopLevel(text, 64)
          if (top.kind !== 'object') throw new Error(`read as ${top.kind}`)
          const found = [...top.members].map(([each, { start, end }]) => [
            each,
            JSON.parse(text.slice(start, end)) as unknown,
          ])
          expect(found).toEqual(Object.entries(JSON.parse(text) as object))
        },
      ),
      runs,
    )
  })

  test('takes linear time for a megabyte', () => {
    const texts = [
      '['.repeat(500_000),
      `[${'['.repeat(500_000)}${']'.repeat(500_000)}]`,
      `"${'\\'.repeat(1_000_000)}"`,
      `{"a":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(1_000_000)}"}`,
    ]
    for (const text of texts) expect(readMessage(text, rules())).toHaveProperty('text')
    const answer = readMessage(texts.at(-1) ?? '', rules()) as { text: string }
    expect(answer.text.length).toBeLessThan(300)
  })
})
