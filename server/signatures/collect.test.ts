import { bls12_381 } from '@noble/curves/bls12-381.js'
import { afterEach, describe, expect, it } from 'vitest'
import { createSignatureNetwork } from './network.ts'
import type { RoundOutcome, RoundRequest, SignatureNetwork, SignerResult } from './round.ts'
import { startTestNetwork, type Cast, type TestNetwork } from './testing/network.ts'

const primary = '11111111111111111111111111111111LpoYY'
const { longSignatures } = bls12_381
const tag = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const message = Buffer.from('000000000539'.padEnd(120, 'a'), 'hex')

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(
  cast: readonly Cast[],
  settings: Parameters<typeof startTestNetwork>[1] = {},
): Promise<{ test: TestNetwork; network: SignatureNetwork }> {
  const test = await startTestNetwork(cast, settings)
  const network = createSignatureNetwork(test.options)
  closing.push(test.close, () => network.close())
  return { test, network }
}

async function round(
  network: SignatureNetwork,
  asked: Partial<RoundRequest> = {},
): Promise<RoundOutcome & { readonly told: SignerResult[] }> {
  const set = asked.set ?? (await network.canonicalSet(primary, 0))
  const told: SignerResult[] = []
  const outcome = await network.collect({
    message,
    justification: new Uint8Array(),
    sourceChainId: new Uint8Array(32).fill(7),
    set,
    quorumPercentage: 67,
    quorumPercentageBuffer: 0,
    signal: new AbortController().signal,
    onResult: (result) => told.push(result),
    ...asked,
  })
  return { ...outcome, told }
}

/** Whether an aggregate is the message's under the keys of its signers: by another library than the service's. */
async function holds(network: SignatureNetwork, outcome: RoundOutcome): Promise<boolean> {
  const { signers } = await network.canonicalSet(primary, 0)
  const keys = outcome.signers.map((index) => signers[index]?.publicKey ?? new Uint8Array())
  return longSignatures.verify(
    outcome.aggregate ?? new Uint8Array(),
    longSignatures.hash(message, tag),
    longSignatures.aggregatePublicKeys(keys),
  )
}

const many = (count: number, cast: Cast = {}): Cast[] => Array.from({ length: count }, () => cast)

describe('collect', () => {
  it('asks real peers until the quorum is reached, and aggregates what they signed', async () => {
    const { network } = await open([...many(4), { weight: 1n }])
    const outcome = await round(network)
    expect(outcome.isReached).toBe(true)
    expect(outcome.signedWeight).toBeGreaterThanOrEqual(300n)
    expect(await holds(network, outcome)).toBe(true)
    expect(outcome.told).toEqual(outcome.results)
  })
})
