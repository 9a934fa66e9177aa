import { expect, test } from 'vitest'
import type { OpenApi } from './document.ts'
import { hasWords, outlineOf, shownDocument } from './shown-document.ts'

const parameter = (name: string, more: object = {}) => ({ name, ...more })
const document = {
  openapi: '3.1.0',
  paths: {
    '/v1/chains': { get: { operationId: 'supportedChains', summary: 'Chains' } },
    '/v1/sql': { get: { operationId: 'listSqlTables' }, post: { operationId: 'runSql' } },
    '/v2/chains/{chainId}/metrics/{metric}': {
      get: {
        operationId: 'getMetric',
        parameters: [
          parameter('chainId', { required: true, example: '43114' }),
          parameter('pageSize', { description: 'Rows', example: 10 }),
          parameter('pageToken', { description: 'From the answer', example: 'abc' }),
          parameter('startTimestamp', { description: 'Seconds' }),
        ],
      },
    },
  },
} as unknown as OpenApi

const profile = (more: object = {}) => ({
  dataUrl: 'https://data.example',
  metricsUrl: 'https://metrics.example',
  missingOperations: ['runSql'] as readonly string[],
  ...more,
})
const shown = (more: object = {}) => shownDocument(document, profile(more) as never)

test('has the operations of the deployment, and no path without one', () => {
  expect(Object.keys(shown().paths['/v1/sql'] ?? {})).toEqual(['get'])
  const neither = shown({ missingOperations: ['runSql', 'listSqlTables'] })
  expect(Object.keys(neither.paths)).toEqual(['/v1/chains', '/v2/chains/{chainId}/metrics/{metric}'])
  expect(neither).toMatchObject({ openapi: '3.1.0' })
})

test('its outline has the operations without their answers, and without what these refer to', () => {
  const get = { operationId: 'getNode', parameters: [parameter('nodeId')] }
  const whole = {
    info: { title: 'Own' },
    components: { schemas: { Node: {} } },
    paths: { '/v1/nodes/{nodeId}': { get: { ...get, responses: { 200: { description: 'A node' } } } } },
  }
  expect(JSON.parse(JSON.stringify(outlineOf(whole)))).toEqual({
    info: { title: 'Own' },
    paths: { '/v1/nodes/{nodeId}': { get } },
  })
})

test('sends requests to the URLs of the deployment', () => {
  const { paths, ...rest } = shown()
  expect(rest).toMatchObject({ servers: [{ url: 'https://data.example' }] })
  expect(paths['/v1/chains']?.['get']).not.toHaveProperty('servers')
  const ofMetrics = paths['/v2/chains/{chainId}/metrics/{metric}']?.['get']
  expect(ofMetrics).toMatchObject({ servers: [{ url: 'https://metrics.example' }] })
  // With one URL for both, the document's own is enough; on the page's own origin there is none.
  const one = shown({ dataUrl: '', metricsUrl: '' })
  expect(one).not.toHaveProperty('servers')
  expect(one.paths['/v2/chains/{chainId}/metrics/{metric}']?.['get']).not.toHaveProperty('servers')
})

test('fills in only the examples that a request needs', () => {
  const { parameters } = shown().paths['/v2/chains/{chainId}/metrics/{metric}']?.['get'] ?? {}
  expect(parameters).toEqual([
    parameter('chainId', { required: true, example: '43114' }),
    parameter('pageSize', { description: 'Rows. Example: `10`' }),
    parameter('pageToken', { description: 'From the answer' }),
    parameter('startTimestamp', { description: 'Seconds' }),
  ])
})

test('is searched by words in any order and case', () => {
  expect(hasWords('List blocks of a Chain', 'chain BLOCKS')).toBe(true)
  expect(hasWords('List blocks of a Chain', 'blocks subnet')).toBe(false)
})
