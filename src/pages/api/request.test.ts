import { expect, test } from 'vitest'
import { openApiDocument } from '../../../contract/document/openapi.ts'
import { operations as contract } from '../../../contract/operations.ts'
import { operationUrl } from '../../api/client.ts'
import { profile as profileSchema } from '../../../contract/profile.ts'
import { grouped, operationsOf, type ApiOperation } from './document.ts'
import { buildRequest, isMetricsPath, readField } from './request.ts'

const operations = operationsOf(JSON.parse(JSON.stringify(openApiDocument(contract, '1'))))
const named = (id: string): ApiOperation => {
  const found = operations.find((one) => one.id === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}
const profile = profileSchema.parse({
  id: 'local',
  name: 'This service',
  network: 'fuji',
  networkLabel: 'Sample',
  dataUrl: 'http://data',
  metricsUrl: 'http://metrics',
  nodeUrl: '',
  keyHeader: 'x-service-api-key',
  keyNeeded: false,
  atomicNamespace: 'svc',
  addressPrefix: 'fuji',
  priceValue: 'string',
  holderSortKey: 'integer',
  live: true,
  missingOperations: [],
})

test('every operation of the contract has a form of all its fields', () => {
  // The document also has what the service serves beside the contract.
  const beside = ['getConfig', 'getEvents', 'getHealth', 'getReadiness', 'streamSignatures']
  const isOfNode = (id: string): boolean => id.startsWith('call')
  expect(
    operations
      .map(({ id }) => id)
      .filter((id) => !isOfNode(id))
      .toSorted(),
  ).toEqual([...contract.map(({ id }) => id), ...beside].toSorted())
  for (const { id, params, query, method } of contract) {
    const form = named(id)
    expect(form.method, id).toBe(method)
    const names = form.fields.filter(({ place }) => place !== 'body').map(({ name }) => name)
    expect(names.toSorted(), id).toEqual(
      [...Object.keys(params.shape), ...Object.keys(query.shape)].toSorted(),
    )
    // The URL of the page has all fields side by side, and these two words for itself.
    const all = form.fields.map(({ key }) => key)
    expect(new Set(all).size, id).toBe(all.length)
    for (const own of ['op', 'find']) expect(all, id).not.toContain(own)
  }
  expect(grouped(operations, '').flatMap((group) => group.operations)).toHaveLength(operations.length)
  expect(grouped(operations, 'signatures post').flatMap((group) => group.operations)).toHaveLength(3)
})

test('the form of a signature request has bounds, defaults and descriptions', () => {
  const fields = named('aggregateSignatures').fields
  expect(fields.find(({ name }) => name === 'network')).toMatchObject({
    kind: 'choice',
    place: 'path',
    isRequired: true,
    options: ['mainnet', 'fuji', 'testnet'],
  })
  expect(fields.find(({ name }) => name === 'quorumPercentage')).toMatchObject({
    kind: 'integer',
    place: 'body',
    isRequired: false,
    min: 0,
    max: 100,
    default: '67',
    description: 'The required weight in percent',
  })
  expect(named('reindexNft').answer).toBeUndefined()
})

test('a request is the one that the client makes', () => {
  const id = 'listPrimaryTransactions'
  const addresses = `P-fuji1${'q'.repeat(38)},0x${'1'.repeat(40)}`
  const values = {
    network: 'fuji',
    blockchainId: 'p-chain',
    txTypes: 'BaseTx,ImportTx',
    pageSize: '5',
    addresses,
  }
  const built = buildRequest(named(id), { ...values, pageToken: '' })
  const operation = contract.find((one) => one.id === id)
  const expected =
    operation &&
    operationUrl(
      operation,
      profile,
      { network: 'fuji', blockchainId: 'p-chain' },
      { addresses, txTypes: ['BaseTx', 'ImportTx'], pageSize: 5 },
    )
  const path = 'request' in built ? built.request.path : ''
  const order = (url: string) => [...new URL(url, 'http://data').searchParams].toSorted().join('&')
  expect(order(path)).toBe(order(expected ?? ''))
  expect(new URL(path, 'http://data').pathname).toBe(new URL(expected ?? '').pathname)
  expect(built).toMatchObject({ request: { body: undefined } })
})

test('a body has the types of the contract, without empty fields', () => {
  const built = buildRequest(named('aggregateSignatures'), {
    network: 'fuji',
    message: '0xab',
    quorumPercentage: '80',
  })
  expect('request' in built && JSON.parse(built.request.body ?? '')).toEqual({
    message: '0xab',
    quorumPercentage: 80,
  })
  const read = buildRequest(named('readContract'), {
    chainId: '1',
    address: `0x${'1'.repeat(40)}`,
    signature: 'a()',
    args: '["1",["2"]]',
    'body.address': `0x${'2'.repeat(40)}`,
  })
  expect('request' in read && JSON.parse(read.request.body ?? '')).toEqual({
    signature: 'a()',
    args: ['1', ['2']],
    address: `0x${'2'.repeat(40)}`,
  })
})

test('invalid values are reported by field', () => {
  expect(buildRequest(named('listBlocks'), { pageSize: '1e2', sortOrder: 'up', startBlock: '-1' })).toEqual({
    wrong: {
      chainId: 'is required',
      pageSize: 'must be a whole number',
      sortOrder: 'must be one of asc, desc',
      startBlock: 'must be at least 0',
    },
  })
  const form = { network: 'fuji', blockchainId: 'p-chain', addresses: 'a,b' }
  expect(buildRequest(named('listPrimaryTransactions'), form)).toEqual({
    wrong: { addresses: expect.stringContaining('comma separated') as string },
  })
  const field = { key: 'x', name: 'x', place: 'query', isRequired: false, options: ['a'] } as const
  expect(readField({ ...field, kind: 'flag' }, 'yes')).toHaveProperty('wrong')
  expect(readField({ ...field, kind: 'flag' }, ' false ')).toEqual({ value: false })
  expect(readField({ ...field, kind: 'choices' }, 'a,b')).toEqual({ wrong: 'knows no b' })
  expect(readField({ ...field, kind: 'json' }, '{')).toEqual({ wrong: 'must be JSON' })
  expect(readField({ ...field, kind: 'text', pattern: '^a$', maxLength: 1 }, 'b')).toHaveProperty('wrong')
})

test('operations of the metrics API are requested there', () => {
  for (const { path, api } of contract) expect(isMetricsPath(path), path).toBe(api === 'metrics')
})
