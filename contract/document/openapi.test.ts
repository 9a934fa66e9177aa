import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { misspoken, readWords } from '../../scripts/words.mjs'
import { fieldDescriptions, parameterDescriptions } from './descriptions.ts'
import { openApiDocument } from './openapi.ts'
import { operations } from '../operations.ts'
import { aggregationStreamPath } from '../signatures/aggregation-events.ts'

type Json = Record<string, unknown>
type Parameter = {
  name: string
  in: string
  required: boolean
  schema: Json
  description?: string
  example?: unknown
}
type Item = {
  operationId: string
  tags: string[]
  parameters: Parameter[]
  responses: Json
  requestBody?: Json
}

const document = JSON.parse(JSON.stringify(openApiDocument(operations, '1.2.3'))) as Json
const paths = document['paths'] as Record<string, Record<string, Item>>
const items = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, item]) => ({ path, method, item })),
)
const {
  schemas,
  headers,
  responses: shared,
} = document['components'] as { schemas: Record<string, Json>; headers: Json; responses: Json }
const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])

/** Calls `visit` with every object that stands where a JSON schema may. */
function eachObject(value: unknown, visit: (object: Json, path: string) => void, path = '#'): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Json, path)
  for (const [key, child] of Object.entries(value))
    if (key !== 'example') eachObject(child, visit, `${path}/${key}`)
}

const ofOperations = items.filter(({ path }) => /^\/(v[12]|embed)\//.test(path))
const besides = items.filter((item) => !ofOperations.includes(item))

describe('the OpenAPI document', () => {
  test('has the parts that OpenAPI 3.1 requires', () => {
    expect(document['openapi']).toMatch(/^3\.1\.\d+$/)
    expect(document['info']).toMatchObject({ title: 'Ridgeline', version: '1.2.3' })
    expect(ofOperations).toHaveLength(operations.length + 1)
    for (const { method } of items) expect(['get', 'post']).toContain(method)
  })

  test('has the hosted form as a server, and the signatures as a stream of events', () => {
    expect(document['servers']).toMatchObject([{ url: '/' }, { url: '/hosted' }])
    const stream = paths[aggregationStreamPath]?.['post']
    const whole = paths[aggregationStreamPath.replace(':stream', '')]?.['post']
    expect(stream?.requestBody).toEqual(whole?.requestBody)
    expect(stream?.responses['200']).toMatchObject({ content: { 'text/event-stream': {} } })
    expect(stream?.responses['400']).toEqual(whole?.responses['400'])
  })

  test('keeps to the words of the glossary in every description and summary', () => {
    const words = readWords(readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8'))
    const texts = new Map<string, string>()
    eachObject(document, (object, path) => {
      for (const key of ['description', 'summary'])
        if (typeof object[key] === 'string') texts.set(`${path}/${key}.md`, object[key])
    })
    expect(texts.size).toBeGreaterThan(500)
    expect(misspoken(words, texts)).toEqual([])
  })

  test('has patterns that the example of their own parameter fits', () => {
    const patterns = items.flatMap(({ item }) =>
      item.parameters.flatMap(({ name, schema, example }) =>
        typeof schema['pattern'] === 'string' && example !== undefined
          ? [{ at: `${item.operationId}: ${name}`, pattern: schema['pattern'], example: String(example) }]
          : [],
      ),
    )
    expect(patterns.length).toBeGreaterThan(100)
    const misfits = patterns.filter(({ pattern, example }) => !new RegExp(pattern, 'u').test(example))
    expect(misfits).toEqual([])
  })

  test('names every operation once', () => {
    const ids = items.map(({ item }) => item.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/)
  })

  test('has no two paths that differ only in the names of their parameters', () => {
    const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  test.each(items)('declares the parameters of $method $path', ({ path, item }) => {
    const inPath = item.parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map((parameter) => parameter.name).sort()).toEqual(namesIn(path).sort())
    for (const parameter of inPath) expect(parameter.required).toBe(true)
    const keys = item.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const parameter of item.parameters) {
      expect(['path', 'query']).toContain(parameter.in)
      expect(parameter.schema['type']).toBeTypeOf('string')
    }
  })

  test('has what the service serves besides', () => {
    expect(besides.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'get /events',
      'get /health',
      'get /ready',
      'get /config.json',
      'post /ext/bc/{chain}/rpc',
      'post /ext/bc/P',
      'post /ext/bc/X',
      'post /ext/bc/C/svc',
      'post /ext/info',
      'post /ext/health',
      'post /ext/admin',
    ])
  })

  /** An answer, by its reference if it is one. */
  const answerOf = (answer: unknown): Json => {
    const { $ref } = answer as { $ref?: string }
    return $ref === undefined ? (answer as Json) : (shared[$ref.slice($ref.lastIndexOf('/') + 1)] as Json)
  }

  test('every answer of an operation has its headers, and says when to try again', () => {
    for (const { item } of ofOperations)
      for (const [status, answer] of Object.entries(item.responses)) {
        const named = Object.keys((answerOf(answer)['headers'] ?? {}) as Json)
        expect(named.every((name) => name in headers)).toBe(true)
        expect(named.includes('ratelimit-remaining')).toBe(status !== '408' && status !== '431')
        expect(named.includes('retry-after')).toBe(status === '429' || status === '503')
      }
  })

  test.each(ofOperations)('documents success and the errors of $method $path', ({ item }) => {
    const statuses = Object.keys(item.responses)
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1)
    // Of the eight of the interface, 400, 404 and 502 are of what an operation takes and asks (server/routes/statuses.test.ts).
    expect(statuses).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']))
    expect(statuses.includes('413')).toBe(item.requestBody !== undefined)
    expect(statuses.includes('415')).toBe(item.requestBody !== undefined)
    expect(statuses).not.toContain('405')
    for (const status of statuses.filter((one) => Number(one) >= 400))
      expect(answerOf(item.responses[status])).toMatchObject({
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      })
  })

  test('answers 201 to what makes something, a signed message included, 200 to all else', () => {
    const created = items.filter(({ item }) => '201' in item.responses)
    expect(created.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'get /v1/signatureAggregator/{network}/aggregateSignatures/{txHash}',
      'post /v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex',
      'post /v1/signatureAggregator/{network}/aggregateSignatures',
      'post /v1/watch/channels',
      'post /v1/watch/fleets',
      'post /v1/watch/fleets:import',
      'post /v1/watch/rules',
      'post /v1/watch/silences',
    ])
  })

  test('promises no body of a reindexing, and asks for one to aggregate', () => {
    const reindex =
      paths['/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex']?.['post']
    expect(reindex?.responses['201']).not.toHaveProperty('content')
    expect(reindex).not.toHaveProperty('requestBody')
    const aggregate = paths['/v1/signatureAggregator/{network}/aggregateSignatures']?.['post']
    expect(aggregate?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/SignatureRequest' },
        },
      },
    })
    expect(schemas['SignatureRequest']).toMatchObject({
      type: 'object',
      properties: { quorumPercentage: { type: 'integer', minimum: 0, maximum: 100, default: 67 } },
    })
  })

  test('holds JSON Schema only: known types, patterns that compile, references that exist', () => {
    const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']
    eachObject(document, (object, path) => {
      expect(object, path).not.toHaveProperty('wire')
      if (path.endsWith('/properties')) return
      const { type, pattern, $ref, required } = object
      if (typeof type === 'string' && !path.includes('securitySchemes')) expect(types, path).toContain(type)
      if (typeof pattern === 'string') expect(() => new RegExp(pattern, 'u'), path).not.toThrow()
      if (typeof $ref === 'string') {
        const [root, ...names] = $ref.split('/')
        expect(root).toBe('#')
        const found = names.reduce<unknown>((at, name) => (at as Json | undefined)?.[name], document)
        expect(found, $ref).toBeDefined()
      }
      if (Array.isArray(required)) {
        expect(Object.keys(object['properties'] as Json), path).toEqual(expect.arrayContaining(required))
      }
    })
  })

  test('has every record once and by name, and each is used', () => {
    const used = new Set<string>()
    const inline: string[] = []
    eachObject(document, (object, path) => {
      const { $ref, properties } = object
      if (typeof $ref === 'string') used.add($ref.slice($ref.lastIndexOf('/') + 1))
      const isSchema = typeof properties === 'object' && !path.endsWith('/properties')
      if (isSchema && !/^#\/components\/schemas\/\w+$/.test(path)) inline.push(path)
    })
    expect(inline).toEqual([])
    expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([])
    expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([])
    expect(Object.keys(schemas)).not.toHaveLength(0)
  })

  test('names the records of the interface, and the answers of lists', () => {
    const names =
      'AddressParty AssetAmount BalanceItem Block Chain Erc1155Transfer Erc20TokenBalance EvmTransaction ' +
      'GenesisData HistoricalReward ListBlocksResponse MetricPoint NftMetadata PricedValue PrimaryBlock ' +
      'Transaction Utxo Validator Vertex'
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(names.split(' ')))
    const blocks = paths['/v1/chains/{chainId}/blocks']?.['get']?.responses['200'] as Json
    expect(blocks['content']).toMatchObject({
      'application/json': { schema: { $ref: '#/components/schemas/ListBlocksResponse' } },
    })
    expect(schemas['ListBlocksResponse']?.['properties']).toMatchObject({
      blocks: { type: 'array', items: { $ref: '#/components/schemas/Block' } },
    })
  })

  test('describes every field and parameter, and has no description of anything else', () => {
    const unused = new Set(
      [fieldDescriptions, parameterDescriptions].flatMap((all, index) =>
        Object.keys(all).map((name) => `${index}${name}`),
      ),
    )
    const missing: string[] = []
    const check = (place: 0 | 1, owner: string, name: string, description: unknown): void => {
      const all = place === 0 ? fieldDescriptions : parameterDescriptions
      const key = [`${owner}.${name}`, name].find((one) => all[one] === description)
      if (key !== undefined) unused.delete(`${place}${key}`)
      if (typeof description !== 'string') missing.push(`${owner}.${name}`)
    }
    for (const [record, { properties = {} }] of Object.entries(schemas))
      for (const [field, { description }] of Object.entries(properties as Record<string, Json>))
        check(0, record, field, description)
    for (const { item } of ofOperations)
      for (const { name, description } of item.parameters) check(1, item.operationId, name, description)
    expect(missing.toSorted()).toEqual([])
    expect([...unused]).toEqual([])
  })

  test('keeps the default and the description of a parameter that is transformed', () => {
    const erc20 = paths['/v1/chains/{chainId}/addresses/{address}/balances:listErc20']?.['get']
    const named = (name: string) => erc20?.parameters.find((parameter) => parameter.name === name)
    expect(named('filterSpamTokens')).toMatchObject({
      schema: { type: 'boolean', default: true },
      description: expect.stringContaining('spam'),
    })
    expect(named('pageSize')?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 500, default: 10 })
    expect(named('contractAddresses')?.description).toContain('contracts')
  })

  test('says how an integer travels that may pass 2^53, with what it means', () => {
    expect(schemas['L1ValidatorChange']?.['properties']).toMatchObject({
      balanceChange: { type: 'integer', description: expect.stringContaining('Negative') },
    })
  })

  /** The values that a reader may expect in an answer: those of the hosted API, and the states of the API reference. */
  const knownValues: [field: string, values: string][] = [
    ['rewardType', 'VALIDATOR DELEGATOR VALIDATOR_FEE'],
    ['utxoType', 'STAKE TRANSFER'],
    ['ercType', 'ERC-20 ERC-721 ERC-1155 UNKNOWN'],
    ['tokenReputation', 'Malicious Benign'],
    ['callType', 'NATIVE_TRANSFER CONTRACT_CALL CONTRACT_CREATION'],
    ['txStatus', '0 1'],
    [
      'indexStatus',
      'UNKNOWN MISSING_TOKEN INVALID_TOKEN_URI INVALID_TOKEN_URI_SCHEME UNREACHABLE_TOKEN_URI ' +
        'THROTTLED_TOKEN_URI METADATA_CONTENT_TOO_LARGE INVALID_METADATA INVALID_METADATA_JSON INDEXED UNINDEXED',
    ],
    ['validationStatus', 'completed active pending removed'],
    ['delegationStatus', 'completed active pending'],
    ['chainFormat', 'linear non-linear'],
  ]

  test.each(knownValues)('documents the known values of %s and leaves it open', (field, values) => {
    const found: Json[] = []
    eachObject(document, (object, path) => {
      // A nullable field has its text one level down.
      if (/\/(\w+)(\/anyOf\/0)?$/.exec(path)?.[1] === field && object['x-known-values']) found.push(object)
    })
    expect(found).not.toHaveLength(0)
    for (const schema of found) {
      expect(schema['x-known-values']).toEqual(values.split(' '))
      expect(schema).not.toHaveProperty('enum')
    }
  })
})
