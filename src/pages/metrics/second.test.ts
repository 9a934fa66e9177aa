import { expect, test } from 'vitest'
import type { ChainFacts } from '../../api/current.ts'
import { catalogue } from './catalogue.ts'
import { networkCatalogue } from './network-catalogue.ts'
import { findSecond, secondText } from './second.ts'
import type { SeriesInfo } from './series-info.ts'

const factsOf = (chainId: string): ChainFacts => ({
  chainId,
  name: `name of ${chainId}`,
  symbol: 'AVAX',
  decimals: 18,
  index: 0,
})
const chain = { facts: factsOf('43113'), series: catalogue }
const network = { facts: [factsOf('fuji')], series: networkCatalogue, offered: 'fuji' }
const named = (list: readonly SeriesInfo[], name: string): SeriesInfo => {
  const found = list.find((one) => one.name === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}
const txCount = named(catalogue, 'txCount')

test('a second series of the same chain is its name, one of the network has the network before it', () => {
  for (const second of [
    { facts: chain.facts, info: named(catalogue, 'feesPaid') },
    { facts: factsOf('fuji'), info: named(networkCatalogue, 'totalStake') },
  ]) {
    const text = secondText('43113', second)
    expect(text).toBe(second.facts === chain.facts ? 'feesPaid' : 'fuji/totalStake')
    const found = findSecond(text, chain, network, txCount)
    expect([found?.facts.chainId, found?.info]).toEqual([second.facts.chainId, second.info])
  }
})

test('neither an unknown series nor the page’s own can be the second series', () => {
  for (const text of [
    '',
    'txCount',
    '43113/txCount',
    'nothing',
    'fuji/txCount',
    'mainnet/totalStake',
    'fuji/',
  ])
    expect(findSecond(text, chain, network, txCount), text).toBeUndefined()
  expect(findSecond('43113/feesPaid', chain, network, txCount)?.info.name).toBe('feesPaid')
})
