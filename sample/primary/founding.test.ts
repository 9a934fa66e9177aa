import { describe, expect, test } from 'vitest'
import { chainPlans } from '../evm/chains.ts'
import { avaxId, cChain, foundingsOf, xChain } from './founding.ts'
import { cb58 } from '../../protocol/ids/text.ts'

describe('the founding of the chains', () => {
  // The ids of the test network's chains and coin.
  test("derives the test network's ids from its genesis", () => {
    expect(cb58(avaxId)).toBe('U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK')
    expect(cb58(xChain.id)).toBe('2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm')
    expect(cb58(cChain.id)).toBe('yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp')
  })

  test.each(['meridian', 'harbor'] as const)('gives %s the ids that the EVM side goes by', (key) => {
    const { subnet, chain } = foundingsOf()[key]
    const plan = chainPlans.find((each) => each.key === key)
    expect(plan).toMatchObject({ subnetId: cb58(subnet.id), blockchainId: cb58(chain.id) })
  })
})
