import { expect, test } from 'vitest'
import { resolvedPart } from './resolved-part.ts'

const document = {
  paths: {
    '/a/{b}': {
      get: {
        parameters: [{ $ref: '#/components/parameters/b' }],
        answer: { $ref: '#/components/schemas/A~1B', description: 'its own' },
        example: { $ref: 'elsewhere.json' },
      },
    },
  },
  components: {
    parameters: { b: { name: 'b', schema: { $ref: '#/components/schemas/Id' } } },
    schemas: {
      Id: { type: 'string' },
      'A/B': { description: 'named', properties: { id: { $ref: '#/components/schemas/Id' } } },
      Tree: { children: { $ref: '#/components/schemas/Tree' }, id: { $ref: '#/components/schemas/Id' } },
      Lost: { $ref: '#/components/schemas/constructor' },
    },
  },
}

test('a part has what its references name, at any depth, with what stands beside them', () => {
  expect(resolvedPart(document, ['paths', '/a/{b}', 'get'])).toEqual({
    parameters: [{ name: 'b', schema: { type: 'string' } }],
    answer: { description: 'its own', properties: { id: { type: 'string' } } },
    example: { $ref: 'elsewhere.json' },
  })
})

test('what refers to itself stays a reference there, and so does what names nothing', () => {
  const ofSchemas = (name: string) => resolvedPart(document, ['components', 'schemas', name])
  expect(ofSchemas('Tree')).toEqual({
    children: { children: { $ref: '#/components/schemas/Tree' }, id: { type: 'string' } },
    id: { type: 'string' },
  })
  expect(ofSchemas('Lost')).toEqual({ $ref: '#/components/schemas/constructor' })
  expect(resolvedPart(document, ['paths', '/nothing', 'get'])).toBeUndefined()
})
