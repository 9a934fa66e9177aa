import { readdirSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { z as zod } from 'zod'
import type { Operation } from '../../contract/base/operation.ts'

type Loose = { safeParse: (value: unknown) => { success: boolean; data?: unknown } }
type Module = Record<string, unknown>

const folder = new URL('../../contract/', import.meta.url)
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => name.slice(0, -3))
// The OpenAPI writer is the one module of the contract that the browser never loads.
const loaded = names.filter((name) => name !== 'openapi')

async function load(): Promise<Map<string, Module>> {
  vi.resetModules()
  const modules = loaded.map(
    async (name) => [name, (await import(`../../contract/${name}.ts`)) as Module] as const,
  )
  return new Map(await Promise.all(modules))
}

const isSchema = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && 'safeParse' in value

vi.doMock('zod', () => import('./zod-browser.ts'))
const slim = await load()
vi.doUnmock('zod')
const whole = await load()

const texts = fc.oneof(
  fc.string(),
  fc.nat().map(String),
  fc.stringMatching(/^0x[0-9a-f]{64}$/),
  fc.stringMatching(/^0x[0-9a-fA-F]{40}$/),
)

/** Values of the schema's own shape, from zod's JSON schema of it, with a mistake now and then. */
function arbitrary(schema: unknown): fc.Arbitrary<unknown> {
  const json = zod.toJSONSchema(schema as zod.ZodType, { unrepresentable: 'any', io: 'input' })
  return fromJson(json as Json)
}

type Json = { [key: string]: unknown }

function fromJson(json: Json): fc.Arbitrary<unknown> {
  const wrong = fc.constantFrom<unknown>(null, undefined, '', 'x', -1, 0.5, [], {}, true, 7n)
  return fc.oneof({ weight: 40, arbitrary: rightOf(json) }, { weight: 1, arbitrary: wrong })
}

function rightOf(json: Json): fc.Arbitrary<unknown> {
  const options = (json['anyOf'] ?? json['oneOf']) as Json[] | undefined
  if (options) return fc.oneof(...options.map(fromJson))
  if (Array.isArray(json['enum'])) return fc.constantFrom(...(json['enum'] as unknown[]))
  if (json['type'] === 'object') {
    const properties = (json['properties'] ?? {}) as Record<string, Json>
    const shape = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, fromJson(value)]))
    const extra = fc.dictionary(fc.constantFrom('more', 'extra'), fc.string(), { maxKeys: 1 })
    const required = (json['required'] ?? []) as string[]
    return fc
      .tuple(fc.record(shape, { requiredKeys: required.filter((key) => key in shape) }), extra)
      .map(([own, more]) => ({ ...more, ...own }))
  }
  if (json['type'] === 'array') return fc.array(fromJson((json['items'] ?? {}) as Json), { maxLength: 3 })
  if (json['type'] === 'integer') return fc.oneof(fc.nat(), fc.integer())
  if (json['type'] === 'number') return fc.oneof(fc.double(), fc.nat())
  if (json['type'] === 'boolean') return fc.boolean()
  if (json['type'] === 'string') return texts
  return fc.constantFrom<unknown>('text', 12, true, null, ['a'], { a: 1 }, 2n ** 70n)
}

function schemasOf(modules: Map<string, Module>): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [file, module] of modules)
    for (const [name, value] of Object.entries(module)) {
      if (isSchema(value)) found.set(`${file} ${name}`, value)
      const operation = value as Partial<Operation> | null
      if (typeof operation === 'object' && operation !== null && isSchema(operation.response)) {
        found.set(`${file} ${name}.response`, operation.response)
        found.set(`${file} ${name}.query`, operation.query)
        found.set(`${file} ${name}.params`, operation.params)
      }
    }
  return found
}

describe('the browser’s zod means what zod means', () => {
  const expected = schemasOf(whole)
  const actual = schemasOf(slim)

  test('every schema of the contract can be built with it', () => {
    expect([...actual.keys()]).toEqual([...expected.keys()])
    expect(actual.size).toBeGreaterThan(60)
  })

  for (const [name, schema] of expected)
    test(name, () => {
      const own = actual.get(name) as Loose
      fc.assert(
        fc.property(arbitrary(schema), (value) => {
          const right = (schema as Loose).safeParse(value)
          const mine = own.safeParse(value)
          expect(mine.success).toBe(right.success)
          if (right.success) expect(mine.data).toEqual(right.data)
        }),
        { numRuns: 40 },
      )
    })
})
