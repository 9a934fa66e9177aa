import { describe, expect, test } from 'vitest'
import type { DashboardConfig, Profile } from '../../../contract/profile.ts'
import { chooseNode, nodeTargets, parseNodeUrl } from './node-targets.ts'

const local: Profile = {
  id: 'local',
  name: 'This service',
  network: 'fuji',
  networkLabel: 'Sample network',
  dataUrl: '',
  metricsUrl: '',
  nodeUrl: '',
  nodeOrigins: ['https://node.example:9650'],
  keyHeader: 'x-service-api-key',
  keyNeeded: false,
  atomicNamespace: 'svc',
  addressPrefix: 'fuji',
  priceValue: 'string',
  holderSortKey: 'integer',
  live: true,
  missingOperations: [],
}
const hosted: Profile = {
  ...local,
  id: 'mainnet',
  networkLabel: 'Avalanche mainnet',
  nodeUrl: 'https://api.example.net',
  nodeOrigins: [],
  atomicNamespace: 'avax',
}
const config: DashboardConfig = { version: '1', defaultProfile: 'local', profiles: [local, hosted] }
const place = { origin: 'http://127.0.0.1:4400' }
const added = [{ name: 'mine', base: 'http://localhost:9650' }]
const targets = (profile = local, from = place) => nodeTargets(config, profile, added, from)
const choose = (text: string, agreed: readonly string[] = [], profile = local) =>
  chooseNode(text, targets(profile), agreed, config, place)

describe('the node of a link', () => {
  test('is the profile’s own by default', () => {
    expect(choose('')).toMatchObject({
      state: 'ready',
      target: { id: 'gateway', base: '', names: 'interface' },
    })
    expect(choose('', [], hosted)).toMatchObject({
      state: 'ready',
      target: { base: 'https://api.example.net', names: 'node', keyOf: undefined },
    })
  })

  test('is used at once when the user has added it, however the link writes it', () => {
    for (const text of [
      'http://localhost:9650',
      'http://localhost:9650/',
      'http://localhost:9650/ext/bc/C/rpc',
    ])
      expect(choose(text), text).toMatchObject({ state: 'ready', target: { name: 'mine', kind: 'added' } })
  })

  test('needs a confirmation otherwise, and gets no key', () => {
    const url = 'http://127.0.0.1:9999'
    expect(choose(url)).toMatchObject({ state: 'ask', target: { base: url, problem: undefined } })
    expect(choose(url, [url])).toMatchObject({ state: 'ready', target: { kind: 'linked', keyOf: undefined } })
    // A node that only looks like a known one is a different one.
    expect(choose('https://api.example.net.evil.example').state).toBe('ask')
    expect(choose('http://localhost:9651').state).toBe('ask')
  })

  test('is refused with an explanation when it cannot be a node', () => {
    for (const text of [
      'javascript:alert(1)',
      'https://a:b@node.example',
      'ftp://node.example',
      'http://',
      'https://x/?key=1',
    ])
      expect(choose(text), text).toMatchObject({ state: 'wrong' })
  })
})

test('the key of this service is sent to its gateway only', () => {
  expect(targets().map(({ id, keyOf }) => [id, keyOf?.place])).toEqual([
    ['gateway', ''],
    ['https://api.example.net', undefined],
    ['http://localhost:9650', undefined],
  ])
})

test('a blocked origin is named with the setting that allows it', () => {
  const problem = (text: string, from = place) => {
    const chosen = chooseNode(text, targets(local, from), [], config, from)
    if (chosen.state === 'wrong') throw new Error(chosen.reason)
    return chosen.target.problem
  }
  expect(problem('https://node.example:9650/keys/abc')).toBeUndefined()
  expect(problem('http://127.0.0.1:9650')).toBeUndefined()
  expect(problem('https://node.example:9651')).toContain('"https://node.example:9651" to consoleOrigins')
  // The policy allows loopback over http only.
  expect(problem('https://127.0.0.1:9650')).toContain('consoleOrigins')
  const secure = { origin: 'https://explorer.example' }
  expect(problem('http://127.0.0.1:9650', secure)).toBeUndefined()
})

test('a URL is cut before /ext', () => {
  expect(parseNodeUrl(' 127.0.0.1:9650 ')).toEqual({ base: 'http://127.0.0.1:9650' })
  expect(parseNodeUrl('https://Node.Example/key/ext/bc/C/ws')).toEqual({ base: 'https://node.example/key' })
  expect(parseNodeUrl('https://node.example/extra/')).toEqual({ base: 'https://node.example/extra' })
})
