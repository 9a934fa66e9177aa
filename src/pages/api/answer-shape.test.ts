import { expect, test } from 'vitest'
import { openApiDocument } from '../../../contract/document/openapi.ts'
import { operations } from '../../../contract/operations.ts'
import { shapeOf } from './answer-shape.ts'
import { operationsOf } from './document.ts'

test('a schema becomes an example with types, known values and meanings in place of values', () => {
  const schema = {
    type: 'object',
    properties: {
      nextPageToken: { type: 'string' },
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            amount: { type: 'string', pattern: '^\\d+$', description: 'In nAVAX' },
            status: { type: 'string', 'x-known-values': ['active', 'pending'] },
            kind: { enum: ['a', 'b'] },
            size: { type: ['integer', 'null'] },
            fixed: { const: 7 },
          },
          required: ['amount', 'status', 'kind', 'size', 'fixed'],
        },
      },
      byName: { type: 'object', additionalProperties: { type: 'number' } },
      party: { anyOf: [{ type: 'object', properties: { id: { type: 'string' } } }, { type: 'null' }] },
      message: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      whatever: {},
    },
    required: ['rows', 'byName', 'party', 'message', 'whatever'],
  }
  expect(shapeOf(schema)).toEqual({
    'nextPageToken?': 'string',
    rows: [
      {
        amount: 'string: In nAVAX',
        status: 'active | pending',
        kind: 'a | b',
        size: 'integer | null',
        fixed: '7',
      },
    ],
    byName: { '*': 'number' },
    party: { 'id?': 'string' },
    message: 'string | null',
    whatever: 'any',
  })
})

test('every answer in JSON has a shape', () => {
  const own = new Set(operations.map(({ id }) => id))
  const listed = operationsOf(openApiDocument(operations, '0.0.0')).filter(({ id }) => own.has(id))
  const shapes = listed.flatMap(({ answer }) => (answer === undefined ? [] : [shapeOf(answer)]))
  expect(shapes.length).toBeGreaterThan(80)
  for (const shape of shapes) expect(shape).toEqual(expect.any(Object))
  const blocks = shapeOf(listed.find(({ id }) => id === 'listBlocks')?.answer)
  expect(blocks).toMatchObject({
    'nextPageToken?': expect.stringMatching(/^string: /),
    blocks: [{ blockNumber: 'string: The height of the block' }],
  })
})
