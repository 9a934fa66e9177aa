import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { failuresOf, withoutNode } from '../../contract/document/statuses.ts'
import { operations } from '../../contract/operations.ts'

const server = join(import.meta.dirname, '..')
const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.test.ts')
const textOf = (file: string): string => readFileSync(file, 'utf8')

/** The modules that a module loads; an import of types loads nothing. */
function importsOf(file: string): string[] {
  const statements = textOf(file).matchAll(/^(?:import|export)\s+(type\s)?([^;]*?)from '(\.[^']+)'/gm)
  return [...statements].flatMap(([, isType, names = '', path = '']) => {
    const listed = /\{([^}]*)\}/.exec(names)
    const each = (listed?.[1] ?? '').split(',').map((name) => name.trim())
    const isOnlyTypes =
      isType !== undefined ||
      (listed !== null && each.every((name) => name === '' || name.startsWith('type ')))
    return isOnlyTypes ? [] : [join(dirname(file), path)]
  })
}

/** Every module that a module loads, itself among them. */
function reachedFrom(file: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const left = [file]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (reached.has(next) || !existsSync(next) || !isSource(next)) continue
    reached.add(next)
    left.push(...importsOf(next))
  }
  return reached
}

/** What asks a node, or tells that it did not answer. */
const ofNode = /^node\/(client|ask-for|state|nodes|failures|rpc)/
/** A question to one that was given. */
const asking = /nodes\.of(Network)?\(|client\.call\(/
/** What a handler is given to ask one. */
const givenNode = /\bnodes\b|NodeUnavailable|aggregator|gateway/

const handlers = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter(isSource)
  .map((file) => join(server, file))
  .flatMap((file) => [...textOf(file).matchAll(/implement\(\s*(\w+)/g)].map(([, id = '']) => ({ id, file })))
  .filter(({ id }) => operations.some((operation) => operation.id === id))

test('an operation is a 502 if and only if its handler can ask a node', () => {
  const cannot = handlers.filter(({ file }) => {
    const reached = [...reachedFrom(file)]
    const asks = reached.some((each) => ofNode.test(relative(server, each)) || asking.test(textOf(each)))
    return !asks && !givenNode.test(textOf(file))
  })
  expect(cannot.map(({ id }) => id).toSorted()).toEqual([...withoutNode].toSorted())
})

test('what takes no input is never a 400, and what names nothing never a 404', () => {
  const without = (status: 400 | 404): string[] =>
    operations.filter((operation) => !failuresOf(operation).includes(status)).map(({ id }) => id)
  expect(without(400).toSorted()).toEqual([
    'getSession',
    'getStorage',
    'getWatchSummary',
    'listChainStatus',
    'listSqlTables',
    'listWatchChannels',
  ])
  expect(without(404).toSorted()).toEqual([
    'createWatchChannel',
    'getChainTransactionsFrame',
    'getSession',
    'getStorage',
    'getWatchSummary',
    'listChainStatus',
    'listSqlTables',
    'listWatchChannels',
    'listWatchSilences',
    'runSql',
  ])
})
