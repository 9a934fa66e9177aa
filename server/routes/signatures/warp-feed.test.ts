import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cb58, idOfText } from '../../../protocol/ids/text.ts'
import recorded from '../../../protocol/warp/fixtures/recorded.json' with { type: 'json' }
import { insertBlocks, revertTo, seedChain, type SeedBlock } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { idBytes } from '../../testing/primary-rows.ts'
import {
  hex,
  insertWorld,
  pTime,
  startSignatureService,
  world,
  type SignatureService,
} from '../../testing/signature-service.ts'

const { first, second } = world
const { emitted, conversion } = recorded
const primary = '11111111111111111111111111111111LpoYY'
const cast = [{ weight: 40n, subnets: [primary, first.subnet] }, { weight: 60n }]
const emitter = '0x0200000000000000000000000000000000000005'
const topic = '0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d'
const log = { address: emitter, topics: [topic, topic, emitted.messageId], data: emitted.logData }
/**
 * A message from the L1's chain: the source is at byte 6 of the message, which begins at byte 64 of the data.
 */
const ofL1 = (): typeof log => {
  const data = Buffer.from(emitted.logData.slice(2), 'hex')
  Buffer.from(idOfText(first.chain)).copy(data, 70)
  return { ...log, data: hex(data) }
}
const block = (number: number, ts: number, logs: readonly (typeof log)[]): SeedBlock => ({
  number,
  ts,
  txs: [{ from: emitter, to: emitter, logs }],
})
const noise = { ...log, topics: [idBytes('another event')].map(hex) }

let store: TestDatabase
let network: SignatureService

beforeAll(async () => {
  store = await createTestDatabase()
  await insertWorld(store.database, { weight: '4', minNonce: '1' })
  // Blocks of all three chains share their times, and one block has several messages.
  await seedChain(store.database, {
    chain: 43_113,
    blocks: [
      block(0, pTime(0), []),
      block(1, pTime(1), [log]),
      block(2, pTime(5), [noise, log, log]),
      block(3, pTime(5), [log]),
      block(4, pTime(8), [{ ...log, address: '0x0200000000000000000000000000000000000006' }]),
    ],
  })
  await seedChain(store.database, {
    chain: 77_777,
    blocks: [block(0, pTime(1), []), block(50, pTime(5), [ofL1()]), block(51, pTime(6), [ofL1()])],
  })
  await seedChain(store.database, { chain: 88_888, blocks: [block(0, pTime(9), [log])] })
  const chain = { rpcUrl: 'http://127.0.0.1:9' }
  network = await startSignatureService(store.database, cast, {}, [
    {
      ...chain,
      evmChainId: 77_777,
      name: 'First L1',
      network: 'fuji',
      blockchainId: first.chain,
      subnetId: first.subnet,
    },
    { ...chain, evmChainId: 88_888, name: 'Elsewhere' },
  ])
})
afterAll(async () => {
  await network.close()
  await store.drop()
})

type Listed = Record<string, unknown> & { readonly chainName: string; readonly blockNumber: string }
const placeOf = ({ chainName, blockNumber, logIndex = '' }: Listed): string =>
  `${chainName} ${blockNumber} ${String(logIndex)}`.trim()

async function walk(query: string, pageSize: number): Promise<Listed[]> {
  const found: Listed[] = []
  for (let token = ''; ;) {
    const { status, body } = await network.ask(
      `/messages?pageSize=${pageSize}${query}${token && `&pageToken=${token}`}`,
    )
    if (status !== 200) throw new Error(JSON.stringify(body))
    found.push(...(body['messages'] as Listed[]))
    if (body['nextPageToken'] === undefined) return found
    token = String(body['nextPageToken'])
  }
}

describe('the list of messages', () => {
  const all = [
    'P-Chain 8',
    'First L1 51 0',
    'P-Chain 5',
    'Test Chain 3 0',
    'Test Chain 2 2',
    'Test Chain 2 1',
    'First L1 50 0',
    'P-Chain 3',
    'P-Chain 1',
    'Test Chain 1 0',
  ]

  test.each([1, 2, 3, 100])(
    'has all sources, latest first, each message once: by pages of %i',
    async (size) => {
      expect((await walk('', size)).map(placeOf)).toEqual(all)
    },
  )

  test.each([
    ['p-chain', /^P-Chain/],
    [primary, /^P-Chain/],
    ['c-chain', /^Test Chain/],
    ['43113', /^Test Chain/],
    [first.chain, /^First L1/],
  ])('of %s alone', async (id, pattern) => {
    const found = (await walk(`&blockchainId=${id}`, 2)).map(placeOf)
    expect(found).toEqual(all.filter((each) => pattern.test(each)))
  })

  test('contains none of a chain without a network, and accepts no token of another list', async () => {
    const { status, body } = await network.ask('/messages?blockchainId=88888')
    expect([status, body['message']]).toEqual([404, 'blockchain 88888 is not indexed on fuji'])
    const page = await network.ask('/messages?pageSize=1')
    const token = String(page.body['nextPageToken'])
    expect((await network.ask(`/messages?blockchainId=p-chain&pageToken=${token}`)).status).toBe(400)
  })

  test('stays complete when the blocks of its position are reverted', async () => {
    const page = await network.ask('/messages?pageSize=5')
    const token = String(page.body['nextPageToken'])
    await revertTo(store.database, 43_113, 1)
    const rest = await network.ask(`/messages?pageSize=100&pageToken=${token}`)
    expect((rest.body['messages'] as Listed[]).map(placeOf)).toEqual(all.slice(6))
    await insertBlocks(store.database, 43_113, [
      block(2, pTime(5), [noise, log, log]),
      block(3, pTime(5), [log]),
    ])
  })
})

describe('a message in the list', () => {
  const at = async (place: string) => (await walk('', 100)).find((each) => placeOf(each) === place)

  test('of an EVM chain', async () => {
    expect(await at('Test Chain 3 0')).toEqual({
      messageId: emitted.messageId,
      message: emitted.unsigned,
      networkId: 12_345,
      sourceBlockchainId: world.cChain,
      sourceBlockchainName: 'Test Chain',
      signingSubnetId: primary,
      payloadKind: 'AddressedCall',
      sourceAddress: emitted.sender,
      payload: hex(Buffer.from('hello 1795246994656')),
      chainName: 'Test Chain',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      logIndex: 0,
      blockNumber: '3',
      blockTimestamp: pTime(5),
    })
    expect(await at('First L1 51 0')).toMatchObject({ signingSubnetId: first.subnet })
    // By the hash of its transaction too, on whichever chain it is.
    for (const name of ['Test Chain 3 0', 'First L1 51 0']) {
      const listed = await at(name)
      const { txHash } = listed as unknown as { txHash: string }
      expect((await network.ask(`/transactions/${txHash}/message`)).body).toEqual(listed)
    }
    expect((await network.ask(`/transactions/0x${'ab'.repeat(32)}/message`)).status).toBe(404)
  })

  test('of a conversion, with the subnet as justification and the validators that it applies to', async () => {
    const conversionId = hex(idOfText(first.conversionId))
    expect(await at('P-Chain 1')).toMatchObject({
      message: `${conversion.unsigned.slice(0, -64)}${conversionId.slice(2)}`,
      sourceBlockchainId: primary,
      sourceBlockchainName: 'P-Chain',
      signingSubnetId: first.subnet,
      payloadKind: 'AddressedCall',
      l1Message: { type: 'SubnetToL1Conversion', conversionId },
      justification: hex(idOfText(first.subnet)),
      txHash: first.convert,
      blockTimestamp: pTime(1),
    })
  })

  test('of registration, weight and removal, each from its own transaction', async () => {
    const { validation, register, setWeight } = second
    const message = async (hash: string) => (await network.ask(`/transactions/${hash}/message`)).body
    const registered = await at('P-Chain 3')
    expect(registered).toMatchObject({
      signingSubnetId: primary,
      l1Message: { type: 'L1ValidatorRegistration', validationId: validation, registered: true },
    })
    expect(registered).not.toHaveProperty('justification')
    expect(await message(register)).toEqual(registered)
    expect(await message(setWeight)).toMatchObject({
      l1Message: { type: 'L1ValidatorWeight', validationId: validation, nonce: '0', weight: '4' },
      txHash: setWeight,
      blockNumber: '5',
    })
    const id = Buffer.from(idOfText(validation))
    await store.database`update l1_validators set weight = 0, min_nonce = 2 where validation_id = ${id}`
    const gone = { type: 'L1ValidatorRegistration', validationId: validation, registered: false }
    expect(await message(second.remove)).toMatchObject({
      l1Message: gone,
      // The payload of 182 bytes from byte 76 of the registration, in field 2 of a protobuf.
      justification: `0x12b601${recorded.register.slice(2 + 2 * 76, 2 + 2 * (76 + 182))}`,
    })
    expect(await message(register)).toMatchObject({ l1Message: gone })
    expect(await message(setWeight)).toMatchObject({
      refusal: `validation ${validation} has ended: validators sign that it is gone`,
    })
    await store.database`update l1_validators set weight = 4, min_nonce = 1 where validation_id = ${id}`
  })
})

describe('decoding', () => {
  const decode = (message: string) => network.ask('/messages:decode', { message })

  test('decodes messages of a manager to the P-Chain', async () => {
    // The signed message of the recorded registration begins with the unsigned one.
    const size = 42 + Number.parseInt(recorded.register.slice(2 + 76, 2 + 84), 16)
    const { status, body } = await decode(recorded.register.slice(2, 2 + 2 * size))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      networkId: 12_345,
      sourceBlockchainId: 'guYJu9kUZZiR4vAthe7JBwnAjZWNSEeShSVxsaRMNWfMTbomA',
      payloadKind: 'AddressedCall',
      sourceAddress: '0x0feedc0de0000000000000000000000000000000',
      l1Message: {
        type: 'RegisterL1Validator',
        subnetId: second.subnet,
        expiry: 1_795_251_028,
        weight: '3',
        remainingBalanceOwner: {
          threshold: 1,
          addresses: ['local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'],
        },
      },
    })
    // A chain that is unknown to this service.
    expect(body).not.toHaveProperty('signingSubnetId')
  })

  test('shows a block hash, and an unknown kind of payload', async () => {
    const head = `000000003039${Buffer.from(idOfText(world.cChain)).toString('hex')}`
    const hash = 'ab'.repeat(32)
    expect((await decode(`${head}00000026${'0'.repeat(12)}${hash}`)).body).toMatchObject({
      payloadKind: 'Hash',
      blockHash: `0x${hash}`,
      signingSubnetId: primary,
    })
    expect((await decode(`${head}00000002ffff`)).body).toMatchObject({ payloadKind: 'Unknown' })
  })

  test('reports the position of an error', async () => {
    const { status, body } = await decode(emitted.unsigned.slice(0, -2))
    expect(status).toBe(400)
    expect(body['message']).toEqual([
      'message: is not an unsigned message: 53 bytes wanted, 52 left at byte 42',
    ])
  })
})

describe('the signers of a subnet', () => {
  test('are in canonical order, with their connection state', async () => {
    const [one, two] = network.validators
    const before = await network.ask(`/signers/${hex(new Uint8Array(32))}`)
    const nodeIds = (body: Record<string, unknown>) =>
      (body['signers'] as { nodeIds: string[] }[]).flatMap((signer) => signer.nodeIds)
    expect(before.body).toMatchObject({
      subnetId: primary,
      pChainHeight: '9',
      totalWeight: '100',
      keylessWeight: '0',
    })
    expect(nodeIds(before.body).toSorted()).toEqual([one?.nodeId, two?.nodeId].toSorted())
    const isConnected = (body: Record<string, unknown>) =>
      (body['signers'] as { isConnected?: boolean }[]).map((signer) => signer.isConnected)
    expect(isConnected(before.body)).toEqual([undefined, undefined])
    const signed = await network.ask('/aggregateSignatures', {
      message: emitted.unsigned,
      quorumPercentage: 100,
    })
    expect(network.check(signed.body['signedMessage']).signers).toEqual([0, 1])
    const after = await network.ask(`/signers/${primary}?pChainHeight=3`)
    expect(after.body).toMatchObject({ pChainHeight: '3' })
    expect(isConnected(after.body)).toEqual([true, true])
  })

  test.each([
    [404, cb58(idBytes('nowhere')), ''],
    [400, primary, '?pChainHeight=10'],
    [400, primary, '?pChainHeight=x'],
  ])('%i for %s%s', async (status, subnet, query) => {
    expect((await network.ask(`/signers/${subnet}${query}`)).status).toBe(status)
  })
})
