import { bls12_381 } from '@noble/curves/bls12-381.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cb58 } from '../../protocol/ids/text.ts'
import { answerOf, resultOf } from '../testing/ask.ts'
import { type RunningSample, startSample } from '../testing/start.ts'
import { answerTo, bytes, isBlsSigned, request } from '../testing/peer.ts'
import {
  ask,
  call,
  cChain,
  expectSilence,
  fromP,
  hashOf,
  hex,
  idBytes,
  l1,
  precompile,
  type Scene,
  sceneOf,
  sha256,
  u64,
  unsigned,
  zeroId,
} from '../testing/peer-scene.ts'

type PBlock = {
  readonly time: number
  readonly txs?: readonly { readonly unsignedTx: { readonly message?: string } }[]
}

let sample: RunningSample
let scene: Scene

beforeAll(async () => {
  sample = await startSample({ hours: 120 })
  scene = sceneOf(sample)
})
afterAll(() => sample.stop())
afterEach(() => scene.closeAll())

describe('on the P-Chain a validator', () => {
  test('signs the conversion of a converted subnet, and refuses any other with a reason', async () => {
    const { address, key } = await scene.honest()
    const client = await scene.meet(address)
    let signed = 0
    for (const id of await scene.subnetIds()) {
      const subnet = await resultOf<{ conversionID: string }>(scene.p, 'platform.getSubnet', {
        subnetID: id,
      }).catch(() => undefined)
      if (subnet === undefined || /^1+LpoYY$/.test(subnet.conversionID)) continue
      const message = fromP(0, idBytes(subnet.conversionID))
      const answer = await ask(client, zeroId, message, idBytes(id))
      expect(isBlsSigned(message, answer?.signature ?? Buffer.alloc(96), key)).toBe(true)
      expect(await ask(client, zeroId, fromP(0, sha256(message)), idBytes(id))).toMatchObject({
        code: 7,
        text: `provided conversionID "${cb58(sha256(message).toString('hex'))}" != expected conversionID "${subnet.conversionID}"`,
      })
      signed += 1
    }
    expect(signed).toBe(3)
    const nobody = sha256(Buffer.from('nobody'))
    expect(await ask(client, zeroId, fromP(0, nobody), nobody)).toMatchObject({
      code: 6,
      text: `subnet "${cb58(nobody.toString('hex'))}" has not been converted`,
    })
    expect(await ask(client, zeroId, fromP(0, nobody), Buffer.alloc(3))).toMatchObject({ code: 5 })
  })

  test('signs statements about L1 validators: registered, weight, removed', async () => {
    const told = (await scene.sentBy('meridian')).filter(({ sender }) => sender.startsWith('0feedc0de0'))
    const payloads = told.map(({ message }) => message.subarray(2 + 4 + 32 + 4 + 2 + 4 + 4 + 20 + 4))
    const registrations = payloads.filter((of) => of.readUInt32BE(2) === 1)
    expect(registrations.length).toBeGreaterThanOrEqual(3)
    const { address, key } = await scene.honest()
    const client = await scene.meet(address)
    const isSignedBy = async (message: Buffer, justification?: Uint8Array): Promise<boolean> => {
      const answer = await ask(client, zeroId, message, justification)
      return isBlsSigned(message, answer?.signature ?? bls12_381.G2.Point.BASE.toBytes(true), key)
    }
    const seen = { there: 0, gone: 0 }
    for (const registration of registrations) {
      const validation = sha256(registration)
      const name = cb58(validation.toString('hex'))
      const { result } = await answerOf(scene.p, 'platform.getL1Validator', { validationID: name })
      const why = bytes(2, registration)
      const yes = fromP(2, validation, hex('01'))
      const no = fromP(2, validation, hex('00'))
      if (result === undefined) {
        seen.gone += 1
        expect(await isSignedBy(no, why)).toBe(true)
        expect(await ask(client, zeroId, yes)).toMatchObject({
          code: 11,
          text: `validation "${name}" does not exist`,
        })
        continue
      }
      seen.there += 1
      const { weight, minNonce } = result as { weight: string; minNonce: string }
      expect(await isSignedBy(yes)).toBe(true)
      expect(await ask(client, zeroId, no, why)).toMatchObject({
        code: 12,
        text: `validation "${name}" exists`,
      })
      const nonce = BigInt(minNonce) - 1n
      if (nonce < 0n) continue
      expect(await isSignedBy(fromP(3, validation, u64(nonce), u64(BigInt(weight))))).toBe(true)
      expect(
        await ask(client, zeroId, fromP(3, validation, u64(nonce + 1n), u64(BigInt(weight)))),
      ).toMatchObject({ code: 16, text: `provided nonce ${nonce + 1n} != expected nonce (${minNonce} - 1)` })
      expect(
        await ask(client, zeroId, fromP(3, validation, u64(nonce), u64(BigInt(weight) + 1n))),
      ).toMatchObject({ code: 17 })
    }
    expect(seen.there).toBeGreaterThan(0)
    expect(seen.gone).toBeGreaterThan(0)
    const [registration = Buffer.alloc(0)] = registrations
    // With another weight and expiry, this registration never happened, but it still could.
    const other = Buffer.from(registration)
    other.writeBigUInt64BE(BigInt(2 ** 40), 2 + 4 + 32 + 4 + 20 + 48)
    expect(await ask(client, zeroId, fromP(2, sha256(other), hex('00')), bytes(2, other))).toMatchObject({
      code: 14,
    })
    expect(
      await ask(client, zeroId, fromP(2, sha256(other), hex('00')), bytes(2, registration)),
    ).toMatchObject({
      code: 10,
    })
    expect(await ask(client, zeroId, unsigned(zeroId, call(registration)))).toMatchObject({
      code: 4,
      text: 'unsupported warp addressed call payload type: *message.RegisterL1Validator',
    })
  })

  test('refuses messages that are not of the P-Chain, and ignores what a node ignores', async () => {
    const { address } = await scene.honest()
    const client = await scene.meet(address)
    const yes = fromP(2, sha256(Buffer.from('x')), hex('01'))
    expect(await ask(client, zeroId, hex('ffff'))).toMatchObject({ code: -1 })
    expect(await ask(client, zeroId, unsigned(zeroId, hex('ff')))).toMatchObject({ code: 1 })
    expect(await ask(client, zeroId, unsigned(zeroId, call(yes, hex('01'))))).toMatchObject({
      code: 2,
      text: 'source address should be empty',
    })
    expect(await ask(client, zeroId, unsigned(zeroId, call(hex('ffff'))))).toMatchObject({ code: 3 })
    expect(await ask(client, zeroId, fromP(2, zeroId, hex('00')))).toMatchObject({ code: 8 })
    client.send(request(zeroId, yes, undefined, { handler: 9 }))
    expect(await answerTo(client)).toMatchObject({ code: -2, text: 'unregistered handler' })
    await expectSilence(
      client,
      request(zeroId, yes, undefined, { id: 2 }),
      request(zeroId, yes, undefined, { deadline: 0n }),
      request(sha256(Buffer.from('no chain')), yes),
      bytes(30, hex('ff')),
    )
    client.send(bytes(12, ''))
    await client.closed
  })
})

describe('on an EVM chain', () => {
  test('every message is identified by its hash and contains chain, sender and manager', async () => {
    const chains = { C: cChain, meridian: l1.chain }
    for (const [name, chain] of Object.entries(chains)) {
      const sent = await scene.sentBy(name)
      expect(sent.length).toBeGreaterThan(0)
      for (const { id, sender, message } of sent) {
        expect(id).toBe(sha256(message).toString('hex'))
        const payload = message.subarray(42 + 10 + 20 + 4)
        expect(message).toEqual(unsigned(idBytes(chain), call(payload, hex(sender))))
      }
    }
    const id = await resultOf<string>(
      `${sample.url}/ext/bc/meridian/rpc`,
      'eth_call',
      // getBlockchainID()
      { to: precompile, data: '0x4213cf78' },
      'latest',
    )
    expect(id).toBe(`0x${idBytes(l1.chain).toString('hex')}`)
  })

  test('the P-Chain has accepted no message of the manager that is not in an earlier block', async () => {
    const sent = new Map((await scene.sentBy('meridian')).map((each) => [each.id, each]))
    const { height } = await resultOf<{ height: string }>(scene.p, 'platform.getHeight', {})
    let found = 0
    for (let at = Number(height); at > Number(height) - 300; at -= 1) {
      const params = { height: at, encoding: 'json' }
      const { block } = await resultOf<{ block: PBlock }>(scene.p, 'platform.getBlockByHeight', params)
      for (const { unsignedTx } of block.txs ?? []) {
        const signed = hex((unsignedTx.message ?? '').slice(2))
        if (signed.length === 0 || !signed.subarray(6, 38).equals(idBytes(l1.chain))) continue
        const id = sha256(signed.subarray(0, 42 + signed.readUInt32BE(38))).toString('hex')
        expect(sent.get(id)?.time, id).toBeLessThanOrEqual(block.time)
        found += 1
      }
    }
    expect(found).toBe([...sent.values()].filter(({ sender }) => sender.startsWith('0feedc0de0')).length)
  })

  test('validators sign sent messages and accepted blocks, like their own RPC, and nothing else', async () => {
    const chain = idBytes(cChain)
    const [sent] = await scene.sentBy('C')
    if (sent === undefined) throw new Error('nothing was sent')
    const { nodeId, address, key } = await scene.honest()
    const client = await scene.meet(address)
    const { signature = Buffer.alloc(0) } = (await ask(client, chain, sent.message)) ?? {}
    expect(isBlsSigned(sent.message, signature, key)).toBe(true)
    const own = `${sample.url}/validators/${nodeId}/ext/bc/C/rpc`
    const name = cb58(sent.id)
    expect(await resultOf(own, 'warp_getMessageSignature', name)).toBe(`0x${signature.toString('hex')}`)
    expect(await resultOf(own, 'warp_getMessage', name)).toBe(`0x${sent.message.toString('hex')}`)

    const { c } = await sample.control.heads()
    const block = hex(c.hash.slice(2))
    const hashed = unsigned(chain, hashOf(block))
    const ofBlock = await ask(client, chain, hashed)
    expect(isBlsSigned(hashed, ofBlock?.signature ?? Buffer.alloc(0), key)).toBe(true)
    expect(await resultOf(own, 'warp_getBlockSignature', cb58(c.hash.slice(2)))).toBe(
      `0x${ofBlock?.signature?.toString('hex')}`,
    )

    const altered = Buffer.from(sent.message)
    altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1)
    expect(await ask(client, chain, altered)).toMatchObject({
      code: 1,
      text: 'unknown payload type: *payload.AddressedCall',
    })
    const noBlock = sha256(block)
    const ofNothing = unsigned(chain, hashOf(noBlock))
    expect(await ask(client, chain, ofNothing)).toMatchObject({
      code: 2,
      text: `failed to get block ${cb58(noBlock.toString('hex'))}: not found`,
    })
    const elsewhere = unsigned(zeroId, hashOf(block))
    expect(await ask(client, chain, elsewhere)).toMatchObject({
      code: -1,
      text: 'failed to sign message: wrong SourceChainID',
    })
    const network = unsigned(chain, hashOf(block), 1)
    expect(await ask(client, chain, network)).toMatchObject({
      code: -1,
      text: 'failed to sign message: wrong networkID',
    })
    const missing = cb58(noBlock.toString('hex'))
    expect(await answerOf(own, 'warp_getMessage', missing)).toMatchObject({
      error: { code: -32000, message: `failed to get message ${missing} with error not found` },
    })
  })

  test("an L1's messages are known only to its validators", async () => {
    const chain = idBytes(l1.chain)
    const [sent] = await scene.sentBy('meridian')
    if (sent === undefined) throw new Error('nothing was sent')
    const { address, key } = await scene.honest(l1.subnet)
    const answer = await ask(await scene.meet(address), chain, sent.message)
    expect(isBlsSigned(sent.message, answer?.signature ?? Buffer.alloc(0), key)).toBe(true)
    const members = await scene.validators(l1.subnet)
    const outside = (await sample.control.peers()).find(
      ({ nodeId, behaviour, isListening }) => behaviour === 'honest' && isListening && !members.has(nodeId),
    )
    const stranger = await scene.meet(outside?.address ?? '')
    await expectSilence(stranger, request(chain, sent.message))
  })

  test('messages undone by a reorg are no longer signed', async () => {
    const chain = idBytes(cChain)
    const { address } = await scene.honest()
    const client = await scene.meet(address)
    await sample.control.mine({ chain: 'c', blocks: 1 })
    const { c } = await sample.control.heads()
    const undone = (await scene.sentBy('C')).at(-1)
    if (undone === undefined) throw new Error('nothing was sent')
    const hashed = unsigned(chain, hashOf(hex(c.hash.slice(2))))
    expect(await ask(client, chain, hashed)).toHaveProperty('signature')
    expect(await ask(client, chain, undone.message)).toHaveProperty('signature')
    await sample.control.reorg({ chain: 'c', depth: c.number - 5, sameTransactions: 'none', transactions: 1 })
    expect((await scene.sentBy('C')).map(({ id }) => id)).not.toContain(undone.id)
    expect(await ask(client, chain, hashed)).toMatchObject({ code: 2 })
    expect(await ask(client, chain, undone.message)).toMatchObject({ code: 1 })
  })
})
