import { X509Certificate, createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cb58 } from '../../protocol/ids/text.ts'
import { resultOf } from '../testing/ask.ts'
import { type RunningSample, startSample } from '../testing/start.ts'
import {
  bytes,
  count,
  dial,
  fields,
  handshake,
  isBlsSigned,
  isSigned,
  number,
  only,
  request,
  signerOf,
} from '../testing/peer.ts'
import {
  ask,
  expectSilence,
  fromP,
  hex,
  idBytes,
  l1,
  peerListRequest,
  type Scene,
  sceneOf,
  sha256,
  zeroId,
} from '../testing/peer-scene.ts'

let sample: RunningSample
let scene: Scene

beforeAll(async () => {
  sample = await startSample({ hours: 48 })
  scene = sceneOf(sample)
})
afterAll(() => sample.stop())
afterEach(() => scene.closeAll())

describe('the handshake', () => {
  test('presents the node of the certificate, signed by its keys, and all other nodes', async () => {
    const { nodeId, address, key } = await scene.honest()
    const name = 'greeting'
    const client = await dial(address, name)
    expect(cb58(client.nodeId)).toBe(nodeId.slice('NodeID-'.length))
    const greeting = await client.next(13)
    const said = greeting?.fields ?? []
    expect(count(said, 1)).toBe(5n)
    const port = Number(count(said, 4))
    expect(port).toBe(Number(address.split(':')[1]))
    const signed = Buffer.alloc(26)
    signed.set([0xff, 0xff, 127, 0, 0, 1], 10)
    signed.writeUInt16BE(port, 16)
    signed.writeBigUInt64BE(count(said, 6), 18)
    const { publicKey } = new X509Certificate(client.certificate)
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const point = Buffer.concat([hex('04'), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
    expect(isSigned(signed, only(said, 7), point)).toBe(true)
    expect(isBlsSigned(signed, only(said, 13), key, 'POP')).toBe(true)

    client.send(handshake(signerOf(name)))
    const list = await client.next(14)
    expect(list?.wasCompressed).toBe(true)
    const claims = (list?.fields ?? []).map(([, claim]) => fields(claim as Buffer))
    const claimed = claims.map((claim) => {
      const certificate = only(claim, 1)
      const id = createHash('ripemd160').update(sha256(certificate)).digest('hex')
      return [`NodeID-${cb58(id)}`, `127.0.0.1:${count(claim, 3)}`]
    })
    expect(new Map(claimed as [string, string][])).toEqual(await scene.addresses())
    // Requests before the end of the handshake are never answered, not even later.
    client.send(request(zeroId, Buffer.from('00', 'hex'), undefined, { id: 77 }))
    client.send(bytes(14, ''))
    await expectSilence(client)
    client.send(peerListRequest)
    expect((await client.next(14))?.fields).toHaveLength(claims.length)
    client.send(bytes(11, number(1, 100)))
    expect((await client.next(12))?.fields).toEqual([])
  })

  test.each([
    ['another network', { networkId: 1 }],
    ['a clock that is off', { skew: 90 }],
    ['port 0', { port: 0 }],
    ['17 subnets', { subnets: 17 }],
    ['no TLS signature', { tlsSignature: Buffer.alloc(0) }],
    ['a BLS signature that is not a point', { blsSignature: Buffer.alloc(96) }],
    ['an empty filter', { filter: Buffer.alloc(0) }],
    ['an old release', { minor: 14 }],
  ] as const)('is refused with %s', async (_, lies) => {
    const { address } = await scene.honest()
    const client = await dial(address, 'liar')
    client.send(handshake(signerOf('liar'), lies))
    expect(await client.next(14)).toBeUndefined()
  })

  test('is refused to a second connection with the same certificate, and to an oversized message', async () => {
    const { address } = await scene.honest()
    const first = await dial(address, 'twin')
    await first.next(13)
    const second = await dial(address, 'twin')
    expect(await second.next()).toBeUndefined()
    first.socket.write(hex('7fffffff'))
    await first.closed
  })
})

describe('a validator that misbehaves', () => {
  const yes = (validation: Uint8Array): Buffer => fromP(2, validation, hex('01'))

  test('is slow, silent, wrong, refusing, unreachable or gone as ordered, and honest again after a reset', async () => {
    const { nodeId, address, key } = await scene.honest()
    const current = await resultOf<{ validators: readonly { validationID: string }[] }>(
      scene.p,
      'platform.getCurrentValidators',
      { subnetID: l1.subnet },
    )
    const message = yes(idBytes(current.validators[0]?.validationID ?? ''))
    const client = await scene.meet(address)
    await sample.control.peer({ nodeId, behaviour: 'slow', delayMs: 30 })
    const signature = (await ask(client, zeroId, message))?.signature ?? Buffer.alloc(0)
    expect(isBlsSigned(message, signature, key)).toBe(true)

    await sample.control.peer({ nodeId, behaviour: 'wrong' })
    const wrong = (await ask(client, zeroId, message))?.signature ?? Buffer.alloc(0)
    expect(bls12_381.G2.Point.fromBytes(wrong).isTorsionFree()).toBe(true)
    expect(isBlsSigned(message, wrong, key)).toBe(false)

    await sample.control.peer({ nodeId, behaviour: 'refusing' })
    expect(await ask(client, zeroId, message)).toMatchObject({ code: -4, text: 'throttled' })

    await sample.control.peer({ nodeId, behaviour: 'silent' })
    client.send(request(zeroId, message))
    client.send(bytes(11, number(1, 100)))
    // Its pong arrives, with no answer before it.
    expect((await client.next())?.kind).toBe(12)

    await sample.control.peer({ nodeId, behaviour: 'unreachable' })
    await client.closed
    expect((await scene.addresses()).get(nodeId)).toBe(address)
    await expect(dial(address)).rejects.toThrow('ECONNREFUSED')
    await sample.control.peer({ nodeId, behaviour: 'gone' })
    expect((await scene.addresses()).has(nodeId)).toBe(false)

    await sample.control.peer({ nodeId })
    const again = await scene.meet((await scene.addresses()).get(nodeId) ?? '')
    expect(await ask(again, zeroId, message)).toEqual({ requestId: expect.any(Number) as number, signature })
    await expect(sample.control.peer({ nodeId, behaviour: 'rude' as 'slow' })).rejects.toThrow(
      'must be one of',
    )
  })

  test('never costs a set so much weight that a quorum of 67 becomes impossible', async () => {
    const states = new Map((await sample.control.peers()).map((state) => [state.nodeId, state]))
    const kinds = new Set<string>()
    for (const id of await scene.subnetIds()) {
      const set = await scene.validators(id)
      let [signing, total] = [0n, 0n]
      for (const [nodeId, { publicKey, weight }] of set) {
        const state = states.get(nodeId)
        if (state !== undefined) kinds.add(state.behaviour)
        total += BigInt(weight)
        const isGood = state?.isListening === true && ['honest', 'slow'].includes(state.behaviour)
        if (publicKey !== null && isGood) signing += BigInt(weight)
      }
      expect(100n * signing, id).toBeGreaterThanOrEqual(67n * total)
    }
    for (const kind of ['honest', 'slow', 'silent', 'wrong', 'unreachable']) expect(kinds).toContain(kind)
  })
})
