import { bls12_381 } from '@noble/curves/bls12-381.js'
import { verify, X509Certificate } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { NodeClient } from '../../node/client.ts'
import { NodeError, startScriptedNode, type Script } from '../../node/testing/scripted-node.ts'
import { signProof } from '../bls.ts'
import { startTestNetwork, testNetworkId, type Cast, type TestNetwork } from '../testing/network.ts'
import { startValidator } from '../testing/validator.ts'
import { AddressBook } from './address-book.ts'
import { addressOfText, checkClaim, hostOfBytes, isLoopback, isOnInternet } from './address.ts'
import { clientVersionOf, makeIntroduction } from './handshake.ts'
import { identityFile, loadIdentity } from './identity.ts'
import type { ClaimedAddress } from '../../../protocol/peer/messages.ts'
import { Peers } from './peers.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const silent = { debug: () => undefined, warn: () => undefined }
const clock = (): number => Math.floor(Date.now() / 1_000)

type Opened = {
  readonly peers: Peers
  readonly addresses: AddressBook
  readonly test: TestNetwork
  pass(ms: number): void
}

async function open(
  cast: readonly Cast[],
  { maxPeers = 100, client }: { maxPeers?: number; client?: string } = {},
): Promise<Opened> {
  const test = await startTestNetwork(cast)
  let passed = 0
  const now = (): number => performance.now() + passed
  const node = new NodeClient({ url: test.node.url, chainName: 'Test', timeout: 5_000, keepFor: 0 })
  const addresses = new AddressBook({ node, configured: [], logger: silent, clock, now })
  const identity = await loadIdentity(test.options.home)
  const introduction = await makeIntroduction({
    networkId: testNetworkId,
    identity,
    proof: signProof,
    now: clock(),
    ...(client !== undefined && { client: clientVersionOf(client) }),
  })
  const self = async () => ({ identity, introduction })
  const peers = new Peers({ addresses, self, maxPeers, logger: silent, clock, now })
  closing.push(
    test.close,
    () => node.close(),
    () => peers.close(),
  )
  return { peers, addresses, test, pass: (ms) => (passed += ms) }
}

const nodeIdAt = ({ test }: Opened, at: number): string => test.validators[at]?.nodeId ?? ''
const ask = {
  chainId: new Uint8Array(32),
  bytes: Buffer.from('020a00', 'hex'),
  signal: new AbortController().signal,
}

describe('Peers', () => {
  test("uses the peer's own release, unless another one is configured", async () => {
    const version = { name: 'avalanchego', major: 1, minor: 99, patch: 3 }
    const mirrored = await open([{ version }])
    await mirrored.peers.connection(nodeIdAt(mirrored, 0))
    expect(mirrored.test.validators[0]?.handshakes).toMatchObject([
      { client: version, networkId: testNetworkId, address: Buffer.of(127, 0, 0, 1), port: 9 },
    ])
    const fixed = await open([{ version }], { client: 'other/1.2.3' })
    await fixed.peers.connection(nodeIdAt(fixed, 0))
    expect(fixed.test.validators[0]?.handshakes).toMatchObject([
      { client: { name: 'other', major: 1, minor: 2, patch: 3 } },
    ])
  })

  test('signs its claimed address with both of its keys', async () => {
    const opened = await open([{}])
    await opened.peers.connection(nodeIdAt(opened, 0))
    const [handshake] = opened.test.validators[0]?.handshakes ?? []
    const identity = await loadIdentity(opened.test.options.home)
    const time = (handshake?.signingTime ?? 0).toString(16).padStart(16, '0')
    const signed = Buffer.from(`00000000000000000000ffff7f0000010009${time}`, 'hex')
    const { publicKey } = new X509Certificate(identity.certificate)
    expect(verify('sha256', signed, publicKey, handshake?.tlsSignature ?? Buffer.alloc(0))).toBe(true)
    const { longSignatures } = bls12_381
    const tag = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
    const key = longSignatures.getPublicKey(identity.blsSecret)
    const proof = handshake?.blsSignature ?? Buffer.alloc(0)
    expect(longSignatures.verify(proof, longSignatures.hash(signed, tag), key)).toBe(true)
  })

  test('answers pings, and closes connections unused for ten minutes', async () => {
    const opened = await open([{}])
    const [validator] = opened.test.validators
    const connection = await opened.peers.connection(nodeIdAt(opened, 0))
    validator?.ping()
    // The answer to a request comes after that to the ping.
    await connection.request({ ...ask, timeout: 5_000 })
    expect(validator?.pongs()).toBe(1)
    opened.pass(599_000)
    opened.peers.closeIdle()
    expect(opened.peers.isConnected(nodeIdAt(opened, 0))).toBe(true)
    opened.pass(2_000)
    opened.peers.closeIdle()
    expect(opened.peers.isConnected(nodeIdAt(opened, 0))).toBe(false)
  })

  test('closes a connection whose peer is gone', async () => {
    const opened = await open([{ behaviour: { kind: 'silent' } }])
    const connection = await opened.peers.connection(nodeIdAt(opened, 0))
    const failure = { kind: 'timeout', message: 'the validator did not answer' }
    await expect(connection.request({ ...ask, timeout: 50 })).rejects.toMatchObject(failure)
    expect(connection.isReady).toBe(true)
    // Neither an answer nor one of the pings that come every 22.5 s.
    opened.pass(31_000)
    await expect(connection.request({ ...ask, timeout: 50 })).rejects.toMatchObject(failure)
    expect(connection.isReady).toBe(false)
    expect(opened.peers.isConnected(nodeIdAt(opened, 0))).toBe(false)
  })

  test('closes the connection that was idle longest, and refuses if all are in use', async () => {
    const opened = await open([{}, { behaviour: { kind: 'silent' } }, {}], { maxPeers: 2 })
    const { peers } = opened
    await peers.connection(nodeIdAt(opened, 0))
    opened.pass(1)
    const busy = await peers.connection(nodeIdAt(opened, 1))
    await peers.connection(nodeIdAt(opened, 2))
    expect([0, 1, 2].map((at) => peers.isConnected(nodeIdAt(opened, at)))).toEqual([false, true, true])
    const last = await peers.connection(nodeIdAt(opened, 2))
    const stop = new AbortController()
    const waits = [busy, last].map((connection) =>
      connection.request({ ...ask, timeout: 60_000, signal: stop.signal }),
    )
    const [, validator] = [opened.test.validators[0], opened.test.validators[2]]
    if (validator) validator.behaviour = { kind: 'silent' }
    await expect(peers.connection(nodeIdAt(opened, 0))).rejects.toMatchObject({ kind: 'busy' })
    stop.abort()
    await Promise.allSettled(waits)
  })

  test('pauses a validator for a while after a failure', async () => {
    const opened = await open([{}])
    const [validator] = opened.test.validators
    await validator?.stop()
    const connect = () => opened.peers.connection(nodeIdAt(opened, 0))
    await expect(connect()).rejects.toMatchObject({ kind: 'connection' })
    await expect(connect()).rejects.toMatchObject({
      kind: 'resting',
      message: 'the connection failed (ECONNREFUSED)',
    })
    await validator?.start()
    opened.pass(300)
    await connect()
    expect(opened.peers.isConnected(nodeIdAt(opened, 0))).toBe(true)
  })

  test('learns a validator’s address from its signed claim that a peer passed on', async () => {
    const hidden = await startValidator({ networkId: testNetworkId })
    const forger = await startValidator({ networkId: testNetworkId })
    closing.push(
      () => hidden.stop(),
      () => forger.stop(),
    )
    const forged: ClaimedAddress = { ...forger.claim(), certificate: hidden.claim().certificate }
    let claims: readonly ClaimedAddress[] = [forged]
    const opened = await open([{ claims: () => claims }])
    const connection = await opened.peers.connection(nodeIdAt(opened, 0))
    await expect(opened.peers.connection(hidden.nodeId)).rejects.toMatchObject({ kind: 'address' })
    await connection.request({ ...ask, timeout: 5_000 })
    expect(opened.addresses.of(hidden.nodeId)).toEqual([])
    claims = [forged, hidden.claim(), forger.claim()]
    connection.askForPeers()
    await connection.request({ ...ask, timeout: 5_000 })
    expect(opened.addresses.of(hidden.nodeId)).toEqual([{ host: '127.0.0.1', port: hidden.port }])
    // Nobody asked for the forger.
    expect(opened.addresses.of(forger.nodeId)).toEqual([])
    opened.pass(1_000)
    expect((await opened.peers.connection(hidden.nodeId)).nodeId).toBe(hidden.nodeId)
  })
})

describe('addresses', () => {
  test('are read from text and bytes', () => {
    expect(addressOfText('1.2.3.4:9651')).toEqual({ host: '1.2.3.4', port: 9_651 })
    expect(addressOfText('[2001:db8::1]:1')).toEqual({ host: '2001:db8::1', port: 1 })
    for (const text of ['1.2.3.4', '1.2.3.4:0', '1.2.3.4:65536', '1.2.3:1', 'host:1', '1.2.3.4:1/x', ''])
      expect(addressOfText(text)).toBeUndefined()
    expect(hostOfBytes(Uint8Array.of(1, 2, 3, 4))).toBe('1.2.3.4')
    expect(hostOfBytes(Buffer.from(`${'00'.repeat(10)}ffff01020304`, 'hex'))).toBe('1.2.3.4')
    expect(hostOfBytes(Buffer.from('20010db8000000000000000000000001', 'hex'))).toBe('2001:db8:0:0:0:0:0:1')
    expect(hostOfBytes(new Uint8Array(5))).toBeUndefined()
    expect(isLoopback({ host: '127.1.2.3', port: 1 })).toBe(true)
    expect(isLoopback({ host: '::1', port: 1 })).toBe(true)
    expect(isLoopback({ host: '128.0.0.1', port: 1 })).toBe(false)
    expect(isOnInternet({ host: '10.0.0.1', port: 1 })).toBe(false)
  })

  test('count only when the claim is signed by the key of its certificate', async () => {
    const validator = await startValidator()
    closing.push(() => validator.stop())
    const claim = validator.claim()
    const now = Number(claim.timestamp)
    expect(checkClaim(claim, now)).toMatchObject({ nodeId: validator.nodeId, port: validator.port })
    expect(checkClaim(claim, now - 61)).toBeUndefined()
    expect(checkClaim({ ...claim, port: claim.port + 1 }, now)).toBeUndefined()
    expect(checkClaim({ ...claim, port: 0 }, now)).toBeUndefined()
    expect(checkClaim({ ...claim, timestamp: claim.timestamp - 1n }, now)).toBeUndefined()
    expect(checkClaim({ ...claim, certificate: new Uint8Array(9) }, now)).toBeUndefined()
    expect(checkClaim({ ...claim, address: new Uint8Array(3) }, now)).toBeUndefined()
  })

  test("are the operator's first, then those that the node reports of its peers and of itself", async () => {
    const script: Script = ({ method }) => {
      switch (method) {
        case 'info.getNodeID':
          return { nodeID: 'NodeID-self' }
        case 'info.getNodeIP':
          return { ip: '[2001:db8::5]:9651' }
        default:
          return {
            peers: [
              { nodeID: 'NodeID-one', publicIP: '1.2.3.4:9651', ip: '1.2.3.4:40000' },
              { nodeID: 'NodeID-two', publicIP: '', ip: '5.6.7.8:9651' },
              { nodeID: 'NodeID-bad', publicIP: 'elsewhere' },
              null,
            ],
          }
      }
    }
    const scripted = await startScriptedNode(script)
    const node = new NodeClient({ url: scripted.url, chainName: 'Test', timeout: 5_000, keepFor: 0 })
    closing.push(scripted.close, () => node.close())
    const configured = [{ nodeId: 'NodeID-one', address: '10.0.0.1:9651' }]
    let time = 0
    const warned: string[] = []
    const logger = { warn: (_: unknown, text: string) => warned.push(text) } as unknown as typeof silent
    const book = new AddressBook({ node, configured, logger, clock, now: () => time })
    await Promise.all([book.refresh(), book.refresh()])
    expect(scripted.asked).toHaveLength(3)
    expect(book.of('NodeID-one')).toEqual([
      { host: '10.0.0.1', port: 9_651 },
      { host: '1.2.3.4', port: 9_651 },
    ])
    expect(book.of('NodeID-two')).toEqual([{ host: '5.6.7.8', port: 9_651 }])
    expect(book.of('NodeID-self')).toEqual([{ host: '2001:db8::5', port: 9_651 }])
    expect(book.of('NodeID-bad')).toEqual([])
    scripted.script = () => {
      throw new NodeError(-32000, 'no')
    }
    await book.refresh()
    expect(scripted.asked).toHaveLength(3)
    time = 600
    await book.refresh()
    expect(warned).toEqual(['the node does not tell of its peers'])
    expect(book.of('NodeID-two')).toHaveLength(1)
  })

  test('of our own network are not accepted from a peer on the internet', async () => {
    const validator = await startValidator()
    closing.push(() => validator.stop())
    const node = new NodeClient({ url: 'http://127.0.0.1:9', chainName: 'Test', timeout: 1_000 })
    const book = new AddressBook({ node, configured: [], logger: silent, clock, now: () => 0 })
    book.want(validator.nodeId)
    book.learn([validator.claim()], { host: '8.8.8.8', port: 9_651 })
    expect(book.of(validator.nodeId)).toEqual([])
    book.learn([validator.claim()], { host: '192.168.0.7', port: 9_651 })
    expect(book.of(validator.nodeId)).toHaveLength(1)
  })
})

describe('the identity', () => {
  test('is created once, readable by its owner only, and stays the same', async () => {
    const home = await mkdtemp(join(tmpdir(), 'ridgeline-identity-'))
    closing.push(() => rm(home, { recursive: true }))
    // Two processes that start at once.
    const [one, other] = await Promise.all([loadIdentity(join(home, 'a')), loadIdentity(join(home, 'a'))])
    const again = await loadIdentity(join(home, 'a'))
    expect(new Set([one.nodeId, other.nodeId, again.nodeId]).size).toBe(1)
    expect((await stat(join(home, 'a', identityFile))).mode & 0o777).toBe(0o600)
    const certificate = new X509Certificate(one.certificate)
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    expect(certificate.raw.length).toBeLessThanOrEqual(2_048)
    expect(certificate.checkPrivateKey(one.privateKey)).toBe(true)
    await writeFile(join(home, 'a', identityFile), '{}')
    await expect(loadIdentity(join(home, 'a'))).rejects.toThrow('holds no identity')
  })
})
