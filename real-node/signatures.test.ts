import { pvm, utils } from '@avalabs/avalanchejs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Hex } from 'viem'
import { getNetworkOverview } from '../contract/network/overview.ts'
import { aggregateSignatures, getAggregatedSignatures } from '../contract/signatures/signatures.ts'
import { getWarpMessageOfTransaction } from '../contract/signatures/warp.ts'
import { temporaryFolder } from '../e2e/support/launcher.ts'
import { testKey } from '../scripts/support/staking-network.mjs'
import { openEvm, type EvmChain } from './stack/evm.ts'
import { chainOf, l1Weight, makeL1, type L1 } from './stack/l1.ts'
import { startNetwork, type RealNetwork } from './stack/network.ts'
import { ask, freePorts } from './stack/node.ts'
import { startService, untilIndexed, type Service } from './stack/service.ts'
import { openWallet, type Wallet } from './stack/wallet.ts'
import {
  blsKeyOf,
  nodeIdOf,
  registration,
  uncompressed,
  verifySigned,
  weightChange,
  type Signers,
} from './stack/warp.ts'

const avax = 1_000_000_000n
const hour = 3_600
/** Helicon removed the C-Chain's warp methods; peers sign as before. */
const hasMethods = !inject('knowsHelicon')
const primary = '11111111111111111111111111111111LpoYY'
const folder = temporaryFolder()
const serviceFolder = temporaryFolder()
let network: RealNetwork
let wallet: Wallet
let cChain: EvmChain
let l1: L1
let service: Service

type ValidatorSet = Record<string, { publicKey: string | null; weight: string }>

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, ''), 'hex')
const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const cb58 = (hex: string): string => utils.base58check.encode(bytesOf(hex))
const setOf = (subnetID: string): Promise<ValidatorSet> =>
  ask(`${network.node.url}/ext/bc/P`, 'platform.getValidatorsAt', { height: 'proposed', subnetID })

const path = aggregateSignatures.path.replace('{network}', 'fuji')
const post = (body: unknown): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(240_000),
  })

/** Aggregates the signatures of a message over HTTP. */
async function aggregate(body: Record<string, unknown>): Promise<Buffer> {
  const answer = await post(body)
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`${answer.status}: ${text}`)
  return bytesOf(aggregateSignatures.response.parse(JSON.parse(text)).signedMessage)
}

async function verified(signed: Uint8Array, message: string, subnetId: string): Promise<Signers> {
  return verifySigned(signed, bytesOf(message), await setOf(subnetId))
}

const allOf = (): string[] => network.validators.map(({ nodeId }) => nodeId).sort()

beforeAll(async () => {
  if (inject('subnetEvm') === '') return
  network = await startNetwork({
    program: inject('avalanchego'),
    folder: folder.path,
    size: 5,
    // Helicon is active from the start; an older node does not know it.
    heliconIn: -hour,
    plugins: inject('subnetEvm'),
  })
  wallet = await openWallet(network.node.url, testKey)
  l1 = await makeL1(network, wallet)
  cChain = await openEvm(`${network.node.url}/ext/bc/C/rpc`, testKey)
  const [, , , , fifth] = network.validators
  service = await startService(network.node.url, serviceFolder.path, {
    chains: [chainOf(l1)],
    signatures: { validatorNodes: [{ nodeId: fifth?.nodeId, url: fifth?.url }] },
    logLevel: 'debug',
  })
  await untilIndexed(service, network.node.url, getNetworkOverview)
})

afterAll(async () => {
  await service?.stop()
  await network?.stop()
  serviceFolder.remove()
  folder.remove()
})

describe.skipIf(inject('subnetEvm') === '')('signatures of real validators', () => {
  test('equal the node’s aggregate byte for byte, and the L1 accepts them', async () => {
    const { message, id } = await cChain.emit('0x68656c6c6f')
    const signed = await aggregate({ message, quorumPercentage: 100 })
    expect(await verified(signed, message, primary)).toMatchObject({ nodeIds: expect.toSatisfy(hasAll) })
    if (hasMethods) {
      // With a lower quorum, or while a validator is down, this method permanently stops the node from signing.
      const asked = [cb58(id), 100, primary]
      expect(hexOf(signed)).toBe(await ask(cChain.url, 'warp_getMessageAggregateSignature', asked))
    }
    expect(await l1.evm.deliver(signed)).toMatchObject({
      isValid: true,
      sender: cChain.account,
      payload: '0x68656c6c6f',
    })
  })

  test('reach the requested quorum, by default 67 %', async () => {
    const { message } = await cChain.emit('0x02')
    const signed = await aggregate({ message })
    const { weight, total } = await verified(signed, message, primary)
    expect(67n * total).toBeLessThanOrEqual(100n * weight)
    expect(await l1.evm.deliver(signed)).toMatchObject({ isValid: true, payload: '0x02' })
    const one = await aggregate({ message: message.slice(2), quorumPercentage: 20 })
    expect((await verified(one, message, primary)).weight).toBeGreaterThanOrEqual(total / 5n)
  })

  test('of the L1’s own validators deliver its message to the C-Chain', async () => {
    const { message, id } = await l1.evm.emit('0x6d6f756e7461696e')
    const signed = await aggregate({ message, quorumPercentage: 100 })
    expect(await verified(signed, message, l1.subnetId)).toMatchObject({ nodeIds: expect.toSatisfy(hasAll) })
    expect(hexOf(signed)).toBe(
      await ask(l1.evm.url, 'warp_getMessageAggregateSignature', [cb58(id), 100, l1.subnetId]),
    )
    expect(await cChain.deliver(signed)).toMatchObject({ isValid: true, payload: '0x6d6f756e7461696e' })
  })

  test('confirm the conversion by its P-Chain transaction, on both chains', async () => {
    const { conversionID } = await ask<{ conversionID: string }>(
      `${network.node.url}/ext/bc/P`,
      'platform.getSubnet',
      { subnetID: l1.subnetId },
    )
    const payload = hexOf(Buffer.concat([Buffer.alloc(6), utils.base58check.decode(conversionID)]))
    const txHash = l1.conversionTx
    const { message, justification } = await service.get(getWarpMessageOfTransaction, { txHash })
    const { signedMessage } = await service.get(getAggregatedSignatures, { txHash })
    await verified(bytesOf(signedMessage), message, primary)
    expect(await cChain.deliver(bytesOf(signedMessage))).toMatchObject({ isValid: true, payload })
    const byL1 = await aggregate({ message, justification, signingSubnetId: l1.subnetId })
    await verified(byL1, message, l1.subnetId)
    expect(await l1.evm.deliver(byL1)).toMatchObject({ isValid: true, payload })
  })

  test('register a validator of the L1, change its weight and remove it', async () => {
    const joining = await lastInOrder()
    const { payload, validationId } = registration({
      subnetId: utils.base58check.decode(l1.subnetId),
      nodeId: nodeIdOf('joining').bytes,
      publicKey: joining.publicKey,
      expiry: BigInt(Math.floor(Date.now() / 1000) + 3_600),
      address: wallet.address,
      weight: l1Weight / 2n,
    })
    const managed = async (said: Uint8Array): Promise<Buffer> =>
      aggregate({ message: (await l1.evm.emit(hexOf(said))).message })
    const weightNow = async (): Promise<string> => {
      const validationID = utils.base58check.encode(validationId)
      const url = `${network.node.url}/ext/bc/P`
      return (await ask<{ weight: string }>(url, 'platform.getL1Validator', { validationID })).weight
    }

    const register = await managed(payload)
    const registered = await wallet.issueP((spending, given) =>
      pvm.newRegisterL1ValidatorTx(
        { ...spending, balance: avax, blsSignature: joining.proof, message: register },
        given,
      ),
    )
    expect(await weightNow()).toBe('10')
    await acknowledged(registered, Buffer.concat([u16u32(2), validationId, Buffer.of(1)]))

    const heavier = await managed(weightChange(validationId, 1n, 12n))
    const changed = await wallet.issueP((spending, given) =>
      pvm.newSetL1ValidatorWeightTx({ ...spending, message: heavier }, given),
    )
    expect(await weightNow()).toBe('12')
    await acknowledged(changed, Buffer.concat([u16u32(3), validationId, u64(1n), u64(12n)]))

    const none = await managed(weightChange(validationId, 2n, 0n))
    const removed = await wallet.issueP((spending, given) =>
      pvm.newSetL1ValidatorWeightTx({ ...spending, message: none }, given),
    )
    await expect(weightNow()).rejects.toThrow('not found')
    await acknowledged(removed, Buffer.concat([u16u32(2), validationId, Buffer.of(0)]))
  })

  test('fail at 80 % while two validators are down, succeed at 60 %, and include returning validators', async () => {
    // Three of five validators build no blocks, so the message is emitted before.
    const { message } = await cChain.emit('0x03')
    await untilAllHave(cChain)
    const gone = network.validators.slice(3).map(({ nodeId }) => nodeId)
    const set = await setOf(primary)
    await Promise.all([network.stopNode(3), network.stopNode(4)])
    const refused = await post({ message, quorumPercentage: 80 })
    expect(refused.status).toBe(503)
    const words = JSON.stringify(await refused.json())
    for (const nodeId of gone) expect(words).toContain(nodeId)
    const weights = Object.values(set).map(({ weight }) => BigInt(weight))
    const total = weights.reduce((sum, weight) => sum + weight, 0n)
    expect(words).toContain(String((total / 5n) * 3n))
    expect(words).toContain(String(total))

    const three = await aggregate({ message, quorumPercentage: 60 })
    expect(verifySigned(three, bytesOf(message), set).nodeIds.toSorted()).toEqual(
      allOf().filter((nodeId) => !gone.includes(nodeId)),
    )

    await network.startNode(3)
    const until = Date.now() + 240_000
    let again = await post({ message, quorumPercentage: 80 })
    while (again.status === 503 && Date.now() < until) {
      await delay(500)
      again = await post({ message, quorumPercentage: 80 })
    }
    expect(again.status).toBe(201)
    const { signedMessage } = aggregateSignatures.response.parse(await again.json())
    const four = bytesOf(signedMessage)
    const { nodeIds } = verifySigned(four, bytesOf(message), set)
    expect(nodeIds).toContain(gone[0])
    expect(nodeIds).not.toContain(gone[1])
    // With all validators blocks are built again. A partial set shows whether its order is that of the chains.
    await network.startNode(4)
    expect(await l1.evm.deliver(four)).toMatchObject({ isValid: true, payload: '0x03' })
  })

  test('use the RPC of a validator that peers cannot reach, and log it', async () => {
    const [, , , , hidden] = network.validators
    const [port] = await freePorts(1)
    await network.stopNode(4)
    // It connects to the others and announces an address without a listener.
    await network.startNode(4, ['--public-ip=127.0.0.2', `--staking-port=${port}`])
    const [source, destination] = hasMethods ? [cChain, l1.evm] : [l1.evm, cChain]
    const { message } = await source.emit('0x04')
    await untilAllHave(source)

    const before = service.log().length
    const signed = await aggregate({ message, quorumPercentage: 100 })
    const signers = hasMethods ? primary : l1.subnetId
    expect(await verified(signed, message, signers)).toMatchObject({ nodeIds: expect.toSatisfy(hasAll) })
    const told = service
      .log()
      .slice(before)
      .filter(({ msg }) => msg === 'a signer was asked')
      .map(({ nodeIds, outcome, source }) => ({ nodeIds, outcome, source }))
    const expected = allOf().map((nodeId) => ({
      nodeIds: [nodeId],
      outcome: 'signed',
      source: nodeId === hidden?.nodeId ? 'rpc' : 'peer',
    }))
    expect(told.toSorted((a, b) => String(a.nodeIds).localeCompare(String(b.nodeIds)))).toEqual(
      expected.toSorted((a, b) => String(a.nodeIds).localeCompare(String(b.nodeIds))),
    )
    expect(await destination.deliver(signed)).toMatchObject({ isValid: true, payload: '0x04' })
  })

  /** Waits until every validator has the newest block of a chain: before, it refuses what that block emitted. */
  async function untilAllHave({ url }: EvmChain): Promise<void> {
    const heightAt = async (node: string): Promise<bigint> =>
      BigInt(await ask(url.replace(network.node.url, node), 'eth_blockNumber', []))
    const height = await heightAt(network.node.url)
    for (const validator of network.validators)
      await expect.poll(() => heightAt(validator.url), { timeout: 240_000 }).toBeGreaterThanOrEqual(height)
  }

  /**
   * A key that sorts after those of the L1's validators: their indices stay the same, whether a chain uses the set
   * before or after it has joined.
   */
  async function lastInOrder(): Promise<ReturnType<typeof blsKeyOf>> {
    const set = Object.values(await setOf(l1.subnetId))
    const keys = set.flatMap(({ publicKey }) =>
      publicKey === null ? [] : [uncompressed(bytesOf(publicKey))],
    )
    for (let attempt = 0; ; attempt += 1) {
      const candidate = blsKeyOf(`joining ${attempt}`)
      const own = uncompressed(candidate.publicKey)
      if (keys.every((key) => Buffer.compare(key, own) < 0)) return candidate
    }
  }

  /** Aggregates P's confirmation of a transaction by its hash; each chain must accept its own signers. */
  async function acknowledged(txHash: string, payload: Uint8Array): Promise<void> {
    await untilIndexed(service, network.node.url, getNetworkOverview)
    const { message, justification } = await service.get(getWarpMessageOfTransaction, { txHash })
    const { signedMessage } = await service.get(getAggregatedSignatures, { txHash })
    await verified(bytesOf(signedMessage), message, primary)
    const signed = await aggregate({ message, justification, signingSubnetId: l1.subnetId })
    await verified(signed, message, l1.subnetId)
    expect(await l1.evm.deliver(signed)).toMatchObject({ isValid: true, payload: hexOf(payload) })
  }
})

function hasAll(nodeIds: string[]): boolean {
  return JSON.stringify(nodeIds.toSorted()) === JSON.stringify(allOf())
}

function u16u32(type: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUInt32BE(type, 2)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
