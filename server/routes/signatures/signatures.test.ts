import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cb58, idOfText } from '../../../protocol/ids/text.ts'
import recorded from '../../../protocol/warp/fixtures/recorded.json' with { type: 'json' }
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { idBytes } from '../../testing/primary-rows.ts'
import {
  hex,
  insertWorld,
  messageOf,
  pMessage,
  startSignatureService,
  world,
  type SignatureService,
} from '../../testing/signature-service.ts'

const { first, second, ahead } = world
const primary = '11111111111111111111111111111111LpoYY'
const cast = [
  { weight: 40n, subnets: [primary, first.subnet] },
  { weight: 30n },
  { weight: 20n, subnets: [primary, ahead.subnet] },
  { weight: 10n },
]
const { emitted, conversion } = recorded
const sign = { kind: 'sign' } as const
const silent = { kind: 'silent' } as const

let store: TestDatabase
let network: SignatureService

beforeAll(async () => {
  store = await createTestDatabase()
  await insertWorld(store.database, { weight: '4', minNonce: '1' })
  // Disables caching, so that every test has its own rounds.
  const settings = { cacheSeconds: 0, deadlineSeconds: 3, answerSeconds: 0.3 }
  network = await startSignatureService(store.database, cast, settings)
})
afterAll(async () => {
  await network.close()
  await store.drop()
})
let before: number[] = []
beforeEach(() => {
  before = network.validators.map(({ requests }) => requests.length)
})
afterEach(() => {
  for (const validator of network.validators) validator.behaviour = sign
})
/** The requests to each validator in this test. */
const requests = () => network.validators.map((validator, at) => validator.requests.slice(before[at]))

const post = (body: object) => network.ask('/aggregateSignatures', body)
const askedSets = (): unknown[] =>
  network.node.asked
    .filter(({ method }) => method === 'platform.getValidatorsAt')
    .map(({ params }) => params[0])

describe('POST', () => {
  test('signs the recorded message of the C-Chain by the primary network, by the default quorum', async () => {
    const { status, body } = await post({ message: emitted.unsigned })
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual(['signedMessage'])
    const { message, signers } = network.check(body['signedMessage'])
    expect(message).toBe(emitted.unsigned)
    expect(signers).toEqual(expect.arrayContaining([0, 1]))
    expect(askedSets()).toContainEqual({ height: 'proposed', subnetID: primary })
  })

  test('accepts hex without 0x as the same request', async () => {
    const { status, body } = await post({ message: emitted.unsigned.slice(2) })
    expect(status).toBe(201)
    expect(network.check(body['signedMessage']).message).toBe(emitted.unsigned)
  })

  test.each([
    ['of the index', first.chain, first.subnet],
    ['that the node alone knows', ahead.chain, ahead.subnet],
  ])('has a message of a chain %s signed by its subnet', async (_name, chain, subnet) => {
    const { status, body } = await post({ message: messageOf('hello', 12_345, chain) })
    expect(status).toBe(201)
    expect(network.check(body['signedMessage'], subnet).signers).toHaveLength(1)
  })

  test.each([
    ['cb58', first.subnet],
    ['hex', Buffer.from(idOfText(first.subnet)).toString('hex')],
    ['hex with 0x', hex(idOfText(first.subnet))],
    ['cb58, known to the node alone', ahead.subnet],
  ])('asks the subnet that is given in %s', async (_name, signingSubnetId) => {
    const { status, body } = await post({ message: emitted.unsigned, signingSubnetId })
    expect(status).toBe(201)
    const subnet = signingSubnetId === ahead.subnet ? ahead.subnet : first.subnet
    expect(network.check(body['signedMessage'], subnet).signers).toEqual([0])
  })

  test('accepts the set at a height, and collects more signatures for a buffer', async () => {
    const { body } = await post({
      message: emitted.unsigned,
      quorumPercentage: 67,
      quorumPercentageBuffer: 33,
      pChainHeight: 4,
    })
    expect(network.check(body['signedMessage']).signers).toEqual([0, 1, 2, 3])
    expect(askedSets()).toContainEqual({ height: 4, subnetID: primary })
  })

  test('collects at least one signature, even for a quorum of 0', async () => {
    const { status, body } = await post({ message: emitted.unsigned, quorumPercentage: 0 })
    expect(status).toBe(201)
    expect(network.check(body['signedMessage']).signers.length).toBeGreaterThan(0)
  })
})

describe('a justification', () => {
  const justifications = (): string[] =>
    requests().flatMap((each) => each.map(({ bytes }) => Buffer.from(bytes).toString('hex')))

  test('that is a subnet requests the message of its conversion', async () => {
    const subnet = hex(idOfText(first.subnet))
    const { status, body } = await post({ justification: subnet })
    expect(status).toBe(201)
    const { message } = network.check(body['signedMessage'])
    expect(message.slice(-64)).toBe(Buffer.from(idOfText(first.conversionId)).toString('hex'))
    expect(message.length).toBe(conversion.unsigned.length)
    // Field 2 of the request that the validator received: the 32 bytes.
    expect(justifications()[0]).toContain(`1220${subnet.slice(2)}`)
  })

  test('that identifies a validation requests the message of its removal', async () => {
    const named = `0a220a20${Buffer.from(idOfText(first.subnet)).toString('hex')}`
    const { status, body } = await post({ justification: named })
    expect(status).toBe(201)
    const validation = Buffer.from(idOfText(first.validation)).toString('hex')
    expect(network.check(body['signedMessage']).message.slice(-78)).toBe(`000000000002${validation}00`)
    expect(justifications()[0]).toContain(`1224${named}`)
  })

  test('of a removed validation is found in the index', async () => {
    const validation = Buffer.from(idOfText(first.validation))
    const stand = (weight: number) =>
      store.database`update l1_validators set weight = ${weight} where validation_id = ${validation}`
    await stand(0)
    const gone = `000000000002${validation.toString('hex')}00`
    const { status } = await post({ message: pMessage(gone) })
    await stand(20)
    expect(status).toBe(201)
    // The first validator of its conversion.
    expect(justifications()[0]).toContain(
      `12240a220a20${Buffer.from(idOfText(first.subnet)).toString('hex')}`,
    )
  })

  test('is passed on unchanged with a message', async () => {
    const { status } = await post({ message: messageOf('why'), justification: '0xc0ffee' })
    expect(status).toBe(201)
    expect(justifications()[0]).toMatch(/1203c0ffee$/)
  })
})

describe('a quorum that is not reached', () => {
  test('is a 503 that reports the collected weight, and who did not sign and why', async () => {
    const [heavy, , refusing] = network.validators
    if (!heavy || !refusing) throw new Error('validators are missing')
    heavy.behaviour = silent
    refusing.behaviour = { kind: 'refuse', code: 2, text: 'unknown block' }
    const { status, body } = await post({ message: emitted.unsigned })
    expect(status).toBe(503)
    expect(body).toMatchObject({ error: 'Service Unavailable', statusCode: 503 })
    const lines = body['message'] as string[]
    expect(lines[0]).toBe(
      'the quorum is not reached: signatures of weight 40 of 100 were collected, 67 are needed for 67 %',
    )
    expect(lines[1]).toContain(`${heavy.nodeId} of weight 40 did not answer`)
    expect(lines[2]).toMatch(new RegExp(`^${refusing.nodeId} of weight 20 refused: .*unknown block`))
    // The same request succeeds after the validators have recovered.
    heavy.behaviour = sign
    expect((await post({ message: emitted.unsigned })).status).toBe(201)
  })

  test('is not reported for a subnet without signers', async () => {
    const signingSubnetId = cb58(idBytes('plain subnet'))
    const { status, body } = await post({ message: emitted.unsigned, signingSubnetId })
    expect([status, body['message']]).toEqual([
      503,
      `no validator signs for subnet ${signingSubnetId} at the proposed height, which lags the tip`,
    ])
  })
})

describe('GET by transaction', () => {
  const get = (hash: string) => network.ask(`/aggregateSignatures/${hash}`)
  const idHex = (text: string): string => Buffer.from(idOfText(text)).toString('hex')
  const stand = (weight: string, minNonce: string) =>
    store.database`update l1_validators set weight = ${weight}, min_nonce = ${minNonce}
      where validation_id = ${Buffer.from(idOfText(second.validation))}`
  afterAll(() => stand('4', '1'))

  test.each([
    [
      'conversion, by its own validators',
      first.convert,
      first.subnet,
      `000000000000${idHex(first.conversionId)}`,
    ],
    [
      'registration, by those of its manager',
      second.register,
      primary,
      `000000000002${idHex(second.validation)}01`,
    ],
    [
      'weight',
      second.setWeight,
      primary,
      `000000000003${idHex(second.validation)}${'0'.repeat(16)}${'4'.padStart(16, '0')}`,
    ],
  ])('signs a %s', async (_name, hash, subnet, payload) => {
    const { status, body } = await get(hash)
    expect(status).toBe(201)
    const { message } = network.check(body['signedMessage'], subnet)
    expect(message).toBe(
      `0x000000003039${'0'.repeat(64)}${hexSize(14 + payload.length / 2)}000000000001${'0'.repeat(8)}${hexSize(payload.length / 2)}${payload}`,
    )
  })

  test('signs the removal of a validation, for any of its transactions', async () => {
    await stand('0', '2')
    for (const hash of [second.register, second.remove]) {
      const { status, body } = await get(hash)
      expect(status).toBe(201)
      expect(network.check(body['signedMessage']).message.slice(-78)).toBe(
        `000000000002${idHex(second.validation)}00`,
      )
    }
    // The registration itself is the justification: field 2 of a protobuf in field 2 of the request.
    const [request] = requests()[0] ?? []
    const payload = recorded.register.slice(2 + 2 * 76, 2 + 2 * (76 + 182))
    expect(hex(request?.bytes ?? new Uint8Array(0))).toContain(`12b901${`12b601${payload}`}`)
    const { status, body } = await get(second.setWeight)
    expect([status, body['message']]).toEqual([
      400,
      [`txHash: validation ${second.validation} has ended: validators sign that it is gone`],
    ])
  })

  test('refuses a weight that was replaced', async () => {
    await stand('9', '4')
    const { status, body } = await get(second.setWeight)
    expect(status).toBe(400)
    expect(String(body['message'])).toContain('has nonce 3')
  })

  test.each([
    [400, 'a transaction without a message', second.disable, /is a DisableL1ValidatorTx: only/],
    [404, 'a transaction of the X-Chain', world.xTx, /is of the X-Chain, which has no cross-chain messages/],
    [404, 'an unknown transaction', cb58(idBytes('nothing')), /is not indexed on fuji/],
    [400, 'no hash at all', 'nothing', /txHash: /],
  ])('%i for %s', async (code, _name, hash, text) => {
    const { status, body } = await get(hash)
    expect(status).toBe(code)
    expect(String(body['message'])).toMatch(text)
  })
})

const hexSize = (size: number): string => size.toString(16).padStart(8, '0')

describe('rounds', () => {
  const countersOf = async ({ service }: SignatureService): Promise<Record<string, number>> => {
    const { body } = await service.app.inject('/metrics')
    const found = body.matchAll(/ridgeline_signature_rounds\{name="(\w+)"\} (\d+)/g)
    return Object.fromEntries([...found].map(([, name = '', value]) => [name, Number(value)]))
  }

  test('are shared by a hundred equal requests, by POST and GET', async () => {
    // A request that arrives after the round is answered from the cache.
    const keeping = await startSignatureService(store.database, [
      { weight: 1n, subnets: [first.subnet], behaviour: { kind: 'sign', afterMs: 100 } },
    ])
    try {
      const body = { justification: hex(idOfText(first.subnet)), signingSubnetId: first.subnet }
      const answers = await Promise.all([
        ...Array.from({ length: 99 }, () => keeping.ask('/aggregateSignatures', body)),
        keeping.ask(`/aggregateSignatures/${first.convert}`),
      ])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      expect(new Set(answers.map((answer) => answer.body['signedMessage'])).size).toBe(1)
      expect(keeping.validators[0]?.requests).toHaveLength(1)
      const { shared = 0, cached = 0, ...others } = await countersOf(keeping)
      expect(others).toMatchObject({ reached: 1, unreached: 0, failed: 0, underway: 0 })
      expect(shared + cached).toBe(99)
    } finally {
      await keeping.close()
    }
  })

  test('end when their only caller disconnects', async () => {
    for (const validator of network.validators) validator.behaviour = silent
    const { abandoned = 0 } = await countersOf(network)
    const url = new URL(await network.service.app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(url.port), '127.0.0.1')
    const body = JSON.stringify({ message: messageOf('gone') })
    socket.write(
      `POST /v1/signatureAggregator/fuji/aggregateSignatures HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await expect.poll(() => requests()[0]?.length).toBe(1)
    socket.destroy()
    await once(socket, 'close')
    await expect.poll(() => countersOf(network)).toMatchObject({ abandoned: abandoned + 1, underway: 0 })
  })
})

test('a round without a free slot in time is a 503 with the retry time', async () => {
  const small = await startSignatureService(store.database, [{ weight: 1n, behaviour: silent }], {
    maxRounds: 1,
    deadlineSeconds: 1,
  })
  try {
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((text) => small.ask('/aggregateSignatures', { message: messageOf(text) })),
    )
    const taken = answers.filter(({ body }) => String(body['message']).startsWith('all 1 rounds'))
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
    expect(taken.map(({ retryAfter }) => retryAfter)).toContain('1')
  } finally {
    await small.close()
  }
})

test('fifty concurrent messages cost a slow node one request of each kind, and all are signed', async () => {
  const busy = await startSignatureService(store.database, cast, { cacheSeconds: 0 })
  const { script } = busy.node
  const held: (() => void)[] = []
  busy.node.script = (asked, response, request) => {
    // Held until every request is in progress, as by a node without free processors.
    held.push(() => {
      const result = script(asked, response, request)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }))
    })
    return undefined
  }
  try {
    const messages = Array.from({ length: 50 }, (_, at) =>
      messageOf(`message ${at}`, 12_345, world.ahead.chain),
    )
    const answers = messages.map((message) =>
      busy.ask('/aggregateSignatures', { message, signingSubnetId: primary }),
    )
    const releasing = setInterval(() => held.splice(0).forEach((release) => release()), 100)
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    clearInterval(releasing)
    expect(new Set(statuses)).toEqual(new Set([201]))
    const times = new Map<string, number>()
    for (const { method } of busy.node.asked) times.set(method, (times.get(method) ?? 0) + 1)
    expect(Object.fromEntries(times)).toMatchObject({
      'platform.validatedBy': 1,
      'platform.getValidatorsAt': 1,
      'platform.getProposedHeight': 1,
    })
  } finally {
    await busy.close()
  }
})

test('accepts 0x as an empty justification', async () => {
  const { status, body } = await post({ message: emitted.unsigned, justification: '0x' })
  expect(status).toBe(201)
  expect(network.check(body['signedMessage']).message).toBe(emitted.unsigned)
  const alone = await post({ justification: '0x' })
  expect(alone.status).toBe(400)
  expect(String(alone.body['message'])).toContain('either message or justification must be provided')
})
