import { beforeEach, expect, test } from 'vitest'
import type { ChainStatus } from '../../contract/evm/chains.ts'
import { blocksQuery } from './evm/blocks.ts'
import { statusQuery, withPatches } from './chains.ts'
import { receive } from './events.ts'
import { findReorgs } from './reorgs.ts'
import { primaryHeads } from './live-heads.ts'
import { queryClient } from './query-client.ts'

const key = statusQuery().queryKey

const status = (chainId: string): ChainStatus => ({
  chainId,
  chainName: `Chain ${chainId}`,
  state: 'live',
  indexedBlock: '10',
  indexedTimestamp: 1000,
  nodeBlock: '10',
  traceSource: 'debug',
  txCount: '9007199254740993',
  txCountDay: '5',
  addressCount: '3',
})

const head = (blockNumber: string, txCount: number): string =>
  JSON.stringify({ chainId: '1', blockNumber, blockHash: '0x00', blockTimestamp: 1003, txCount })

beforeEach(() => {
  queryClient.clear()
  queryClient.setQueryData(key, [status('1'), status('2')])
})

const chain = (id: string): ChainStatus | undefined =>
  queryClient.getQueryData(key)?.find((one) => one.chainId === id)

test('a head moves its chain and no other, and counts without losing digits', () => {
  receive('head', head('11', 4))
  expect(chain('1')).toMatchObject({
    indexedBlock: '11',
    indexedTimestamp: 1003,
    nodeBlock: '11',
    txCount: '9007199254740997',
  })
  expect(chain('2')).toEqual(status('2'))
})

test('a head below the node’s leaves the node where it is', () => {
  queryClient.setQueryData(key, [{ ...status('1'), nodeBlock: '500' }])
  receive('head', head('11', 0))
  expect(chain('1')?.nodeBlock).toBe('500')
})

test('a head that the status has already counts once', () => {
  receive('head', head('10', 4))
  expect(chain('1')).toEqual(status('1'))
})

test('what arrives while the status is asked for is not undone by the answer', async () => {
  let answer: (chains: ChainStatus[]) => void = () => undefined
  const loading = withPatches(() => new Promise((resolve) => (answer = resolve)))
  receive('progress', JSON.stringify({ chainId: '1', state: 'stopped', reason: 'reorg too deep' }))
  receive('head', head('10', 4))
  answer([status('1'), status('2')])
  expect(await loading).toEqual([{ ...status('1'), state: 'stopped', reason: 'reorg too deep' }, status('2')])
})

test('progress changes the state, and clears a reason that no longer holds', () => {
  receive('progress', JSON.stringify({ chainId: '1', state: 'stopped', reason: 'reorg too deep' }))
  expect(chain('1')).toMatchObject({ state: 'stopped', reason: 'reorg too deep', indexedBlock: '10' })
  receive('progress', JSON.stringify({ chainId: '1', state: 'syncing', indexedBlock: '8' }))
  expect(chain('1')?.reason).toBeUndefined()
  expect(chain('1')).toMatchObject({ state: 'syncing', indexedBlock: '8' })
})

test('a reorg makes what is shown of its chain stale, and nothing else', () => {
  const own = blocksQuery('1').queryKey
  const other = blocksQuery('2').queryKey
  for (const queryKey of [own, other]) queryClient.setQueryData(queryKey, { pages: [], pageParams: [] })
  receive('reorg', JSON.stringify({ chainId: '1', ancestor: '9', depth: 1, reorgCount: 1 }))
  expect(queryClient.getQueryState(own)?.isInvalidated).toBe(true)
  expect(queryClient.getQueryState(other)?.isInvalidated).toBe(false)
})

test('a reorg that no event told of is found by the status, and one that an event told of is not found again', () => {
  const own = blocksQuery('71').queryKey
  const other = blocksQuery('72').queryKey
  const shown = (): (boolean | undefined)[] =>
    [own, other].map((queryKey) => queryClient.getQueryState(queryKey)?.isInvalidated)
  const show = (): void => {
    for (const queryKey of [own, other]) queryClient.setQueryData(queryKey, { pages: [], pageParams: [] })
  }
  const find = (first: number): void =>
    findReorgs([
      { chainId: '71', reorgCount: first },
      { chainId: '72', reorgCount: 4 },
    ])
  show()
  find(2)
  expect(shown()).toEqual([false, false])
  find(3)
  expect(shown()).toEqual([true, false])
  receive('reorg', JSON.stringify({ chainId: '71', ancestor: '9', depth: 1, reorgCount: 4 }))
  show()
  find(4)
  expect(shown()).toEqual([false, false])
  // Of a chain that is indexed anew.
  find(0)
  expect(shown()).toEqual([true, false])
})

test('what is not an event of the contract changes nothing', () => {
  receive('head', 'not json')
  receive('head', '{"chainId":"1"}')
  expect(queryClient.getQueryData(key)).toEqual([status('1'), status('2')])
})

test('a head of the primary network is kept by its network and chain, and one of another form is dropped', () => {
  const event = {
    network: 'fuji',
    chainName: 'p-chain',
    blockNumber: '77',
    blockHash: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
    blockTimestamp: 1003,
  }
  receive('primaryHead', JSON.stringify(event))
  receive('primaryHead', JSON.stringify({ ...event, blockNumber: 78 }))
  expect([...primaryHeads.get()]).toEqual([['fuji/p-chain', { blockNumber: '77', blockTimestamp: 1003 }]])
})
