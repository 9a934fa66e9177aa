import { utils } from '@avalabs/avalanchejs'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { startScriptedNode } from '../node/testing/scripted-node.ts'
import { createSignatureNetwork } from './network.ts'
import type { RoundOutcome, RoundRequest, SignatureNetwork, SignerResult } from './round.ts'
import { startTestNetwork, type Cast, type TestNetwork } from './testing/network.ts'

const primary = '11111111111111111111111111111111LpoYY'
const { longSignatures } = bls12_381
const tag = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const message = Buffer.from('000000000539'.padEnd(120, 'a'), 'hex')
/** The cb58 of its SHA-256, by avalanchejs. */
const messageId = utils.base58check.encode(createHash('sha256').update(message).digest())

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

const outcomesOf = (outcome: RoundOutcome): string[] => outcome.results.map((result) => result.outcome)

/** The result of one validator of the test network. */
async function resultOf(
  { network, test }: { network: SignatureNetwork; test: TestNetwork },
  outcome: RoundOutcome,
  at: number,
): Promise<SignerResult | undefined> {
  const { signers } = await network.canonicalSet(primary, 0)
  const nodeId = test.validators[at]?.nodeId ?? ''
  const index = signers.find((signer) => signer.nodeIds.includes(nodeId))?.index
  return outcome.results.find((result) => result.index === index)
}

describe('collect', () => {
  test('asks real peers until the quorum is reached, and aggregates their signatures', async () => {
    const { network } = await open([...many(4), { weight: 1n }])
    const outcome = await round(network)
    expect(outcome.isReached).toBe(true)
    expect(outcome.signedWeight).toBeGreaterThanOrEqual(300n)
    expect(await holds(network, outcome)).toBe(true)
    expect(outcome.told).toEqual(outcome.results)
  })

  test('asks the heaviest first, and none that the quorum does not need', async () => {
    const { network, test } = await open([...many(10, { weight: 10n }), { weight: 900n }])
    // Connected to everyone, so that the next answers come at once.
    await round(network, { quorumPercentage: 100 })
    const before = test.validators.map(({ requests }) => requests.length)
    const outcome = await round(network, { quorumPercentage: 80 })
    expect(outcome).toMatchObject({ isReached: true, signedWeight: 900n })
    expect(test.validators.map(({ requests }, at) => requests.length - (before[at] ?? 0))).toEqual([
      ...Array<number>(10).fill(0),
      1,
    ])
  })

  test('continues without peers that refuse, are silent, are unreachable, or sign something else', async () => {
    const opened = await open([
      ...many(4),
      { behaviour: { kind: 'refuse', code: 2, text: 'unknown\u202eblock' } },
      { behaviour: { kind: 'silent' } },
      { behaviour: { kind: 'wrong' } },
      { behaviour: { kind: 'bytes', signature: new Uint8Array(95) } },
      { behaviour: { kind: 'bytes', signature: new Uint8Array(96).fill(0xff) } },
      {},
      { behaviour: { kind: 'throttleOnce' } },
      { behaviour: { kind: 'hangUp' } },
    ])
    await opened.test.validators[9]?.stop()
    const outcome = await round(opened.network, { quorumPercentage: 100 })
    const at = (place: number) => resultOf(opened, outcome, place)
    expect(outcome).toMatchObject({ isReached: false, signedWeight: 500n })
    expect(outcome.signers).toHaveLength(5)
    expect(await holds(opened.network, outcome)).toBe(true)
    expect(await at(0)).toMatchObject({ outcome: 'signed', source: 'peer' })
    expect(await at(4)).toMatchObject({
      outcome: 'refused',
      source: 'peer',
      reason: 'the chain has not accepted it (2: unknown block)',
    })
    expect(await at(5)).toMatchObject({ outcome: 'silent', reason: 'the validator did not answer' })
    expect(await at(6)).toMatchObject({ outcome: 'wrong', reason: 'the signature does not hold' })
    expect(await at(7)).toMatchObject({ outcome: 'wrong', reason: 'the answer is not a signature' })
    expect(await at(8)).toMatchObject({ outcome: 'wrong', reason: 'the signature does not hold' })
    expect(await at(9)).toMatchObject({
      outcome: 'unreachable',
      reason: 'the connection failed (ECONNREFUSED)',
    })
    expect(await at(10)).toMatchObject({ outcome: 'signed' })
    expect(await at(11)).toMatchObject({
      outcome: 'unreachable',
      reason: 'the validator closed the connection',
    })
    expect(opened.test.validators[5]?.requests).toHaveLength(3)
  })

  test.each([
    [{ networkId: 1 }, 'the validator is of network 1, not 1337'],
    [{ clockAhead: 3_600 }, /the clocks are (3599|3600|3601) s apart, at most 60 s are allowed/],
    [{ greeting: 'garbage' }, /can't be read/],
    [{ greeting: 'hugeFrame' }, 'a message of 4294967295 bytes is announced'],
    [{ greeting: 'hangUp' }, 'the validator closed the connection during the handshake'],
    [{ greeting: 'nothing' }, 'not connected when time was over'],
  ] satisfies [Cast, string | RegExp][])('says why a handshake failed: %o', async (cast, reason) => {
    // Only who says nothing at all keeps a round waiting.
    const { network } = await open([cast], {
      deadlineSeconds: 'greeting' in cast && cast.greeting === 'nothing' ? 1 : 5,
    })
    const outcome = await round(network)
    expect(outcome.results).toMatchObject([{ outcome: 'unreachable' }])
    expect(outcome.results[0]?.reason).toMatch(reason)
    expect(outcome).toMatchObject({ isReached: false, signedWeight: 0n, signers: [] })
    expect(outcome.aggregate).toBeUndefined()
  })

  test('does not accept another node as the validator', async () => {
    const { network, test } = await open([{}, {}])
    const [first, second] = test.validators
    const port = second?.port ?? 0
    await second?.stop()
    await first?.stop()
    await first?.start(port)
    const outcome = await round(network, { quorumPercentage: 100 })
    expect(outcome.results).toContainEqual(
      expect.objectContaining({ outcome: 'unreachable', reason: 'another node answers at its address' }),
    )
    expect(second?.requests).toEqual([])
  })

  test('succeeds with the quorum alone if the buffer cannot be reached', async () => {
    const cast: Cast[] = [...many(7), ...many(3, { behaviour: { kind: 'refuse', code: 1, text: '' } })]
    const { network } = await open(cast)
    const outcome = await round(network, { quorumPercentage: 70, quorumPercentageBuffer: 30 })
    expect(outcome).toMatchObject({ isReached: true, signedWeight: 700n })
    expect(outcome.results).toHaveLength(10)
    expect((await round(network, { quorumPercentage: 71 })).isReached).toBe(false)
  })

  test('counts weight without a key in the total, and equal keys as one signer', async () => {
    const { network, test } = await open([{}, {}])
    const [first] = test.validators
    const publicKey = `0x${Buffer.from(first?.publicKey ?? []).toString('hex')}`
    test.extra['NodeID-111111111111111111116DBWJs'] = { publicKey: null, weight: '200' }
    // Nobody listens for the second holder of the key, whose name comes first.
    test.extra['NodeID-111111111111111111117AAAA'] = { publicKey, weight: '50' }
    const set = await network.canonicalSet(primary, 0)
    expect(set).toMatchObject({ totalWeight: 450n, keylessWeight: 200n, height: 7n })
    expect(set.signers.map(({ weight }) => weight).toSorted()).toEqual([100n, 150n])
    const outcome = await round(network, { set, quorumPercentage: 56 })
    expect(outcome).toMatchObject({ isReached: false, signedWeight: 250n })
    expect(outcomesOf(outcome)).toEqual(['signed', 'signed'])
    expect((await round(network, { set, quorumPercentage: 55 })).isReached).toBe(true)
  })

  test('asks the RPC of a validator that cannot be reached as a peer', async () => {
    const signed: string[] = []
    const { test } = await open([{}, { behaviour: { kind: 'silent' } }])
    const [away, silent] = test.validators
    await away?.stop()
    const node = await startScriptedNode(({ method, params }) => {
      signed.push(`${method} ${String(params[0])}`)
      return `0x${Buffer.from(away?.secret.sign(message).toBytes() ?? []).toString('hex')}`
    })
    const network = createSignatureNetwork({
      ...test.options,
      settings: {
        ...test.options.settings,
        answerSeconds: 0.1,
        validatorNodes: test.validators.map(({ nodeId }) => ({ nodeId, url: node.url })),
      },
    })
    closing.push(node.close, () => network.close())
    const outcome = await round(network, { quorumPercentage: 100 })
    expect(await resultOf({ network, test }, outcome, 0)).toMatchObject({ outcome: 'signed', source: 'rpc' })
    // The node answers for the first validator: for the second the same bytes are wrong.
    expect(await resultOf({ network, test }, outcome, 1)).toMatchObject({ outcome: 'wrong', source: 'rpc' })
    expect(silent?.requests.length).toBeGreaterThan(0)
    expect(new Set(signed)).toEqual(new Set([`warp_getMessageSignature ${messageId}`]))
    const ofPChain = await round(network, { quorumPercentage: 100, sourceChainId: new Uint8Array(32) })
    expect(ofPChain.results.map(({ source }) => source)).toEqual([undefined, undefined])
  })

  test('finds a validator that was restarted at another address', async () => {
    const { network, test } = await open(many(2))
    const [first] = test.validators
    expect((await round(network, { quorumPercentage: 100 })).isReached).toBe(true)
    await first?.stop()
    expect((await round(network, { quorumPercentage: 100 })).isReached).toBe(false)
    expect(network.isConnected(first?.nodeId ?? '')).toBe(false)
    await first?.start(0)
    // A busy machine may notice the lost connection only in the first of these rounds.
    const isReached = async (): Promise<boolean> =>
      (await round(network, { quorumPercentage: 100 })).isReached
    await expect.poll(isReached).toBe(true)
    expect(network.isConnected(first?.nodeId ?? '')).toBe(true)
  })

  test('keeps one connection to each validator, whatever the number of rounds', async () => {
    const { network, test } = await open(many(3, { behaviour: { kind: 'sign', compressed: true } }))
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => round(network, { quorumPercentage: 100 })),
    )
    expect(outcomes.map(({ isReached }) => isReached)).toEqual(Array<boolean>(20).fill(true))
    expect(test.validators.map(({ handshakes }) => handshakes.length)).toEqual([1, 1, 1])
    const ids = test.validators[0]?.requests.map(({ requestId }) => requestId) ?? []
    expect(new Set(ids).size).toBe(20)
    expect(ids.every((id) => id % 2 === 1)).toBe(true)
  })

  test('ends with the reason of the signal', async () => {
    const { network } = await open([{ behaviour: { kind: 'silent' } }])
    const stop = new AbortController()
    const running = round(network, { signal: stop.signal, set: await network.canonicalSet(primary, 0) })
    stop.abort(new Error('the caller left'))
    await expect(running).rejects.toThrow('the caller left')
    await expect(round(network, { signal: stop.signal })).rejects.toThrow('the caller left')
  })

  test('ends at the deadline, and reports pending validators', async () => {
    const { network } = await open([{}, { behaviour: { kind: 'silent' } }], {
      deadlineSeconds: 2,
      answerSeconds: 60,
    })
    // Connected to both, so that the deadline finds nobody on the way.
    await round(network, { quorumPercentage: 50 })
    const outcome = await round(network, { quorumPercentage: 100 })
    expect(outcome).toMatchObject({ isReached: false, signedWeight: 100n })
    expect(outcome.results).toContainEqual(
      expect.objectContaining({ outcome: 'silent', reason: 'no answer when time was over' }),
    )
  })
})
