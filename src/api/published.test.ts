import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { operations } from '../../contract/operations.ts'
import * as published from './published.ts'

test('has every operation that answers JSON, or nothing, by its id, and how to call it', () => {
  const missing = operations
    .filter(({ response, mediaTypes }) => !(response instanceof z.core.$ZodUnknown && mediaTypes))
    .filter((operation) => (published as Readonly<Record<string, unknown>>)[operation.id] !== operation)
  expect(missing.map(({ id }) => id)).toEqual([])
  expect(published.connect).toBeTypeOf('function')
  expect(published.ApiError).toBeTypeOf('function')
})
