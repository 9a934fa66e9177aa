import { describe, expect, it } from 'vitest'
import { chainPlans } from '../../evm/chains.ts'
import { cb58 } from './cb58.ts'

describe('cb58', () => {
  it('writes the ids that the network itself has', () => {
    // The P-Chain's id is 32 zero bytes; the second is the test key's bytes as the node's wallet shows them.
    expect(cb58(new Uint8Array(32))).toBe('11111111111111111111111111111111LpoYY')
    const key = Buffer.from('56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027', 'hex')
    expect(cb58(key)).toBe('ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN')
  })

  it('tells every chain and subnet apart', () => {
    const ids = chainPlans.flatMap(({ blockchainId, subnetId }) => [blockchainId, subnetId])
    expect(new Set(ids).size).toBe(ids.length)
  })
})
