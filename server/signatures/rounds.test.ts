import { describe, expect, test } from 'vitest'
import { HttpError } from '../kernel/http-errors.ts'
import type { CanonicalSet, RoundOutcome, RoundRequest, SignatureNetwork } from './round.ts'
import { Rounds, ShareLeft, type Plan } from './rounds.ts'

const signers = [60n, 30n, 10n].map((weight, index) => ({
  index,
  weight,
  publicKey: new Uint8Array(48).fill(index),
  uncompressed: new Uint8Array(96).fill(index),
  nodeIds: [`NodeID-${index}`],
}))
const set: CanonicalSet = { subnetId: 'primary', height: 7n, signers, totalWeight: 100n, keylessWeight: 0n }
const planFor = (given: Partial<Plan> = {}): Plan => ({
  networkId: 'fuji',
  message: Buffer.from('a message'),
  justification: new Uint8Array(0),
  sourceChainId: new Uint8Array(32),
  set,
  quorumPercentage: 67,
  quorumPercentageBuffer: 0,
  ...given,
})
const signedBy = (...indices: number[]): RoundOutcome => {
  const signedWeight = indices.reduce((sum, index) => sum + (signers[index]?.weight ?? 0n), 0n)
  return {
    results: indices.map((index) => ({ index, outcome: 'signed', milliseconds: 1 })),
    signedWeight,
    signers: indices,
    aggregate: new Uint8Array(96).fill(indices.length),
    isReached: signedWeight >= 67n,
  }
}

/** Validators whose rounds end when the test says so. */
function createScripted() {
  const asked: (RoundRequest & { end(outcome: RoundOutcome): void; fail(error: Error): void })[] = []
  const network: SignatureNetwork = {
    canonicalSet: () => Promise.resolve(set),
    isConnected: () => false,
    collect: (request) =>
      new Promise((end, fail) => {
        request.signal.addEventListener('abort', () => fail(request.signal.reason))
        asked.push({ ...request, end, fail })
      }),
    close: () => Promise.resolve(),
  }
  return { network, asked }
}

function createTest(settings: { maxRounds?: number; cacheSeconds?: number; deadlineSeconds?: number } = {}) {
  const clock = { now: 1_000 }
  const rounds = new Rounds(
    { maxRounds: 16, cacheSeconds: 600, deadlineSeconds: 10, ...settings },
    () => clock.now,
  )
  return { rounds, clock, ...createScripted() }
}

const statusOf = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error instanceof HttpError && [error.status, error.headers['retry-after']]
  }
  return undefined
}

describe('equal requests', () => {
  test('share one round, and all receive every signer’s event', async () => {
    const { rounds, network, asked } = createTest()
    const shares = Array.from({ length: 100 }, () => rounds.join(network, planFor()))
    expect(asked).toHaveLength(1)
    const heard: number[] = []
    asked[0]?.onResult({ index: 2, outcome: 'refused', milliseconds: 3 }, 0n)
    shares[7]?.listen(({ index }) => heard.push(index))
    asked[0]?.onResult({ index: 0, outcome: 'signed', milliseconds: 4 }, 60n)
    expect(heard).toEqual([2, 0])
    asked[0]?.end(signedBy(0, 1))
    const outcomes = await Promise.all(shares.map((share) => share.outcome))
    expect(new Set(outcomes.map(({ signedWeight }) => signedWeight))).toEqual(new Set([90n]))
    expect(rounds.counters).toMatchObject({ reached: 1, shared: 99, underway: 0 })
  })

  test.each([
    ['message', { message: Buffer.from('another') }],
    ['justification', { justification: Buffer.from('why') }],
    ['quorum', { quorumPercentage: 68 }],
    ['buffer', { quorumPercentageBuffer: 1 }],
    ['weights', { set: { ...set, totalWeight: 101n } }],
    ['network', { networkId: 'mainnet' }],
  ])('are equal in everything: another %s is another round', (_name, given) => {
    const { rounds, network, asked } = createTest()
    rounds.join(network, planFor())
    rounds.join(network, planFor(given))
    expect(asked).toHaveLength(2)
  })
})

describe('a caller that aborts', () => {
  test('does not end a round that others wait for', async () => {
    const { rounds, network, asked } = createTest()
    const [first, second] = [rounds.join(network, planFor()), rounds.join(network, planFor())]
    first.leave()
    first.leave()
    await expect(first.outcome).rejects.toBeInstanceOf(ShareLeft)
    expect(asked[0]?.signal.aborted).toBe(false)
    asked[0]?.end(signedBy(0, 1))
    await expect(second.outcome).resolves.toMatchObject({ isReached: true })
  })

  test('ends the round if it is the last one, and later callers get a new round', async () => {
    const { rounds, network, asked } = createTest()
    const share = rounds.join(network, planFor())
    share.leave()
    expect(asked[0]?.signal.aborted).toBe(true)
    const next = rounds.join(network, planFor())
    expect(asked).toHaveLength(2)
    asked[1]?.end(signedBy(0, 1))
    await expect(next.outcome).resolves.toMatchObject({ signedWeight: 90n })
    expect(rounds.counters).toMatchObject({ abandoned: 1, reached: 1, underway: 0 })
  })
})

describe('cached signatures', () => {
  const run = async (test: ReturnType<typeof createTest>, plan: Plan, outcome: RoundOutcome) => {
    const share = test.rounds.join(test.network, plan)
    test.asked.at(-1)?.end(outcome)
    await share.outcome
  }

  test('serve every quorum that they reach, including the buffer', async () => {
    const test = createTest()
    await run(test, planFor(), signedBy(0, 1))
    const isCached = (given: Partial<Plan>): boolean => {
      const share = test.rounds.join(test.network, planFor(given))
      share.leave()
      return share.isCached
    }
    expect(isCached({})).toBe(true)
    expect(isCached({ quorumPercentage: 10 })).toBe(true)
    expect(isCached({ quorumPercentage: 80, quorumPercentageBuffer: 10 })).toBe(true)
    expect(isCached({ quorumPercentage: 80, quorumPercentageBuffer: 11 })).toBe(false)
    expect(isCached({ justification: Buffer.from('why') })).toBe(false)
  })

  test('are not kept if the buffer or the quorum was missed', async () => {
    const test = createTest()
    await run(test, planFor({ quorumPercentageBuffer: 30 }), signedBy(0, 1))
    expect(test.rounds.join(test.network, planFor({ quorumPercentageBuffer: 30 })).isCached).toBe(false)
    await run(test, planFor({ message: Buffer.from('2') }), signedBy(0))
    expect(test.rounds.join(test.network, planFor({ message: Buffer.from('2') })).isCached).toBe(false)
  })

  test('expire, and the result with more signatures is kept', async () => {
    const test = createTest()
    await run(test, planFor({ quorumPercentage: 100 }), signedBy(0, 1, 2))
    test.clock.now += 599
    const share = test.rounds.join(test.network, planFor())
    expect((await share.outcome).signedWeight).toBe(100n)
    test.clock.now += 1
    expect(test.rounds.join(test.network, planFor()).isCached).toBe(false)
  })
})

describe('limits', () => {
  test('one round too many waits for the next slot, in the order of arrival', async () => {
    const { rounds, network, asked } = createTest({ maxRounds: 2 })
    const join = (name: string) => rounds.join(network, planFor({ message: Buffer.from(name) }))
    const [first, , third, fourth] = ['a', 'b', 'c', 'd'].map(join)
    const begun = () => asked.map(({ message }) => Buffer.from(message).toString())
    expect(begun()).toEqual(['a', 'b'])
    expect(rounds.counters).toMatchObject({ underway: 2, waiting: 2 })
    // Who asks for the same shares the place in the queue.
    const alsoThird = join('c')
    asked[0]?.fail(new Error('the node is gone'))
    await expect(first?.outcome).rejects.toThrow('the node is gone')
    expect(begun()).toEqual(['a', 'b', 'c'])
    asked[2]?.end(signedBy(0, 1))
    await expect(third?.outcome).resolves.toMatchObject({ signedWeight: 90n })
    await expect(alsoThird.outcome).resolves.toMatchObject({ signedWeight: 90n })
    expect(begun()).toEqual(['a', 'b', 'c', 'd'])
    asked[3]?.end(signedBy(0, 1))
    await expect(fourth?.outcome).resolves.toMatchObject({ signedWeight: 90n })
    expect(rounds.counters).toMatchObject({ underway: 1, waiting: 0, reached: 2, failed: 1, refused: 0 })
  })

  test('a round without a slot in time fails with a retry-after', async () => {
    const { rounds, network, asked } = createTest({ maxRounds: 1, deadlineSeconds: 0.05 })
    rounds.join(network, planFor())
    const second = rounds.join(network, planFor({ message: Buffer.from('b') }))
    await expect(second.outcome).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(asked).toHaveLength(1)
    expect(rounds.counters).toMatchObject({ underway: 1, waiting: 0, refused: 1, failed: 0 })
  })

  test('a waiting round that all callers abort never starts', async () => {
    const { rounds, network, asked } = createTest({ maxRounds: 1 })
    const first = rounds.join(network, planFor())
    const second = rounds.join(network, planFor({ message: Buffer.from('b') }))
    second.leave()
    await expect(second.outcome).rejects.toBeInstanceOf(ShareLeft)
    asked[0]?.end(signedBy(0, 1))
    await first.outcome
    expect(asked).toHaveLength(1)
    expect(rounds.counters).toMatchObject({ underway: 0, waiting: 0, abandoned: 1 })
  })

  test('limits the callers that wait for each concurrent round', () => {
    const { rounds, network, asked } = createTest({ maxRounds: 1 })
    const shares = Array.from({ length: 8 }, () => rounds.join(network, planFor()))
    expect(statusOf(() => rounds.join(network, planFor()))).toEqual([503, '1'])
    shares[0]?.leave()
    rounds.join(network, planFor())
    expect(asked).toHaveLength(1)
  })

  test('closing ends every round for its callers', async () => {
    const { rounds, network } = createTest({ maxRounds: 1 })
    const share = rounds.join(network, planFor())
    const queued = rounds.join(network, planFor({ message: Buffer.from('b') }))
    rounds.close()
    await expect(share.outcome).rejects.toMatchObject({ status: 503 })
    await expect(queued.outcome).rejects.toMatchObject({ status: 503 })
    expect(statusOf(() => rounds.join(network, planFor()))).toEqual([503, '5'])
  })
})
