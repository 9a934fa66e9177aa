import { describe, expect, test } from 'vitest'
import { getNetworkOverview } from '../../contract/network/overview.ts'
import { createNews, primaryChains, type ChainState } from './progress.mjs'

const evm: ChainState = { chainId: '43114', chainName: 'C-Chain', state: 'live', indexedBlock: '7' }
/** What the contract lets a service answer about the chains of a network. */
const overview = (chains: readonly object[]) =>
  primaryChains('fuji', getNetworkOverview.response.shape.chains.parse(chains))
const p = (fields: object) => ({ chainName: 'p-chain', blockchainId: '1', indexedHeight: '9', ...fields })
const x = { chainName: 'x-chain', blockchainId: '2', state: 'live', indexedHeight: '4' }

describe('the terminal', () => {
  test('does not call every chain live while the P-Chain or the X-Chain is stopped', () => {
    const news = createNews()
    const stopped = { state: 'stopped', reason: 'the node serves another P-Chain' }
    const before = [evm, ...overview([p(stopped), x])]
    expect(news(before, true)).toEqual({
      lines: [
        'C-Chain is live at block 7',
        'P-Chain of fuji is stopped at block 9: the node serves another P-Chain',
        'X-Chain of fuji is live at block 4',
      ],
      areLive: false,
    })
    // It is said once, and again when it goes on.
    expect(news(before, true)).toEqual({ lines: [], areLive: false })
    expect(news([evm, ...overview([p({ state: 'live' }), { ...x, ...stopped }])], true)).toEqual({
      lines: [
        'P-Chain of fuji is live at block 9',
        'X-Chain of fuji is stopped at block 4: the node serves another P-Chain',
      ],
      areLive: false,
    })
    expect(news([evm, ...overview([p({ state: 'live' }), x])], true).areLive).toBe(true)
  })

  test('leaves out a C-Chain that is not followed, but not one that is stopped', () => {
    const c = { chainName: 'c-chain', blockchainId: '3', state: 'waiting' }
    expect(overview([c])).toEqual([])
    expect(overview([{ ...c, state: 'stopped', reason: 'refused' }])).toHaveLength(1)
  })

  test('calls nothing live before the nodes have their history, or without an answer', () => {
    expect(createNews()([evm], false)).toEqual({ lines: [], areLive: false })
    expect(createNews()([], true)).toEqual({ lines: [], areLive: false })
  })
})
