import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { operations } from '../operations.ts'
import examples from './examples.json' with { type: 'json' }
import { exampleAnswer, exampleBody, exampleParameter } from './examples.ts'

const all = operations.map((operation) => ({ id: operation.id, operation }))

describe('the examples of the API', () => {
  test('are of its operations', () => {
    const ids = new Set([...all.map(({ id }) => id), 'streamSignatures'])
    expect(Object.keys(examples).filter((id) => !ids.has(id))).toEqual([])
  })

  test.each(all)('every parameter of $id has one that it takes', ({ id, operation }) => {
    for (const { shape } of [operation.params, operation.query])
      for (const [name, schema] of Object.entries(shape as Record<string, z.core.$ZodType>)) {
        const example = exampleParameter(id, name)
        expect(example, name).toBeDefined()
        expect(z.safeParse(schema, example).success, `${name}: ${String(example)}`).toBe(true)
      }
  })

  test.each(all.filter(({ operation }) => operation.body))('the body of $id is one', ({ id, operation }) => {
    expect(z.safeParse(operation.body as z.ZodMiniType, exampleBody(id)).error).toBeUndefined()
  })

  test.each(all.filter(({ operation }) => !(operation.response instanceof z.core.$ZodUnknown)))(
    'the answer of $id is one, and not empty',
    ({ id, operation }) => {
      const answer = exampleAnswer(id)
      expect(operation.response.safeParse(answer).error).toBeUndefined()
      expect(Object.keys(answer as object)).not.toHaveLength(0)
    },
  )
})
