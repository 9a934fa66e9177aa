import { expect, test } from 'vitest'
import { createLiveHub, primaryTopic, type Live } from './hub.ts'

function heard(): { hub: ReturnType<typeof createLiveHub>; seen: Live[]; warnings: unknown[] } {
  const seen: Live[] = []
  const warnings: unknown[] = []
  const hub = createLiveHub({ warn: (detail: unknown) => void warnings.push(detail) })
  hub.subscribe((live) => seen.push(live))
  return { hub, seen, warnings }
}

const notice = (more: Record<string, unknown>): string =>
  JSON.stringify({
    kind: 'primary',
    primary: 11,
    height: 42,
    id: `0x${'00'.repeat(32)}`,
    ts: 1_700_000_000,
    ...more,
  })

test('passes on the head of a primary network chain, its id in the chain’s own form', () => {
  const { hub, seen } = heard()
  hub.receive(notice({}))
  hub.receive(notice({ primary: 3, height: '7' }))
  expect(seen.map(({ name, data }) => [name, data])).toEqual([
    [
      'primaryHead',
      {
        network: 'fuji',
        chainName: 'p-chain',
        blockNumber: '42',
        blockHash: '11111111111111111111111111111111LpoYY',
        blockTimestamp: 1_700_000_000,
      },
    ],
    [
      'primaryHead',
      {
        network: 'mainnet',
        chainName: 'c-chain',
        blockNumber: '7',
        blockHash: `0x${'00'.repeat(32)}`,
        blockTimestamp: 1_700_000_000,
      },
    ],
  ])
})

test('counts the change for that chain alone', () => {
  const { hub } = heard()
  const [p, x] = ['p-chain', 'x-chain'].map((alias) => primaryTopic('fuji', alias)) as [string, string]
  hub.receive(notice({}))
  expect([hub.version(p), hub.version(x)]).toEqual([1, 0])
})

test.each([{ primary: 4 }, { id: '0xab' }, { height: 'x' }])('%j is not an announcement', (more) => {
  const { hub, seen, warnings } = heard()
  hub.receive(notice(more))
  expect(seen).toEqual([])
  expect(warnings).toHaveLength(1)
})
