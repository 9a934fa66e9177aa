import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { NodeError, startScriptedNode, type ScriptedNode } from '../node/testing/scripted-node.ts'
import recordedTxs from '../../protocol/fixtures/recorded.json' with { type: 'json' }
import { cb58, fromCheckedHex, idOfText } from '../../protocol/ids/text.ts'
import { startValidator, type TestValidator, type ValidatorOptions } from '../signatures/testing/validator.ts'
import type { Database } from '../store/database.ts'
import morePTxs from './fixtures/primary-recorded.json' with { type: 'json' }
import { fujiKeys, idBytes, insertFujiChains, insertPrimary, primarySubnet } from './primary-rows.ts'
import { testConfig } from './config.ts'
import { startTestService, type TestService } from './service.ts'

/**
 * The network of the recorded transactions (network 12345) with two L1s and their histories. The first is converted
 * by a transaction, and its manager is on its own chain; the manager of the second is on the C-Chain, whose id is
 * `ee48…67` as in the recorded message.
 */
export const world = {
  networkId: 12_345,
  cChain: cb58(Buffer.from('ee488204088eaba3d3c0c5e26d7a2892677f8d6181ef31848708b4e55ead7667', 'hex')),
  first: {
    subnet: '22XvfHnVupAgbUgr7yf9g59mPPrZJeXrsxaHXANe7BweDoQDhn',
    chain: 'zBJbw5fQuQvgUfnRnV3UvwhZjKPAztTgLc8GMDmwfz1icYUnT',
    convert: '21nE21jWtHJ8LVFooPi22mvdKmjYh6a2thJPTx8QrW4yrvH5Ny',
    /** As the node told it. */
    conversionId: 'ko1oUzt6ZchX3hYa6LQ6CfWNsD17kRZSLf3t2WvF6DpcUbfYE',
    validation: '2YLW2G6mUQe4ABrUJYWdPpNSkUCUggVkhUadQqv2NCuEx8dRHR',
  },
  second: {
    subnet: 'Bj52XCTnYDRptuPrFi1CmccafM6LB67qme8HMEb8kahFa8qTF',
    register: 'zPnqvsyd96Q2ucccbBLVWAmjkvgkg9XJ43467Mx6au1easEkA',
    setWeight: 'RZybmf2YV4awX7x8dkVLDFt6VmWKwdTRHeWNk4gYY5NZPEnju',
    remove: '1Qr6XCi7N3BHZ3haSLEU4SdBuBLYpskzhCNYE8pskm7fBY4S3',
    disable: '27VLkqsgG4eEW5o5gUP1hC6YNCdBX6dfuz7xonhdz1PtETGEqQ',
    validation: '21rc2RdSQBcM1jTPnKKb8TEYJsJwgtQUUe6ZajZLkfrarGoP5k',
  },
  xTx: 'tWPttKYYGyDZkH19He719upoCapjBPWdQ9bGsrgz5aytqg9Af',
  /** Known to the node alone. */
  ahead: { subnet: cb58(idBytes('subnet ahead')), chain: cb58(idBytes('chain ahead')) },
} as const

const bytesOfTx = (id: string): Buffer => {
  const found = [...recordedTxs.pTxs, ...morePTxs].find((each) => each.json.id === id)
  if (!found) throw new Error(`${id} was not recorded`)
  return Buffer.from(fromCheckedHex(found.hex).subarray(2))
}
const id = (text: string): Buffer => Buffer.from(idOfText(text))

/** The time of each P-Chain block in seconds, by height. */
export const pTime = (height: number): number => 1_795_246_000 + height

/** The state of the second L1's validation. */
type Standing = { readonly weight: string; readonly minNonce: string }

/** Writes the rows that the indexer would write, with the second L1's validation in the given state. */
export async function insertWorld(database: Database, standing: Standing): Promise<void> {
  const { first, second } = world
  await insertFujiChains(database, [primarySubnet, idBytes('x-chain'), id(world.cChain)])
  const chain = fujiKeys.p
  await insertPrimary(
    database,
    'primary_blocks',
    Array.from({ length: 10 }, (_, height) => ({
      chain,
      height,
      ts: pTime(height),
      id: idBytes(`block ${height}`),
      parent_id: idBytes(`block ${height - 1}`),
    })),
  )
  const txs = [
    [1, 35, first.convert],
    [3, 36, second.register],
    [5, 37, second.setWeight],
    [5, 39, second.disable],
    [8, 37, second.remove],
  ] as const
  await insertPrimary(
    database,
    'primary_transactions',
    txs.map(([height, type, text], index) => ({
      chain,
      height,
      index,
      ts: pTime(height),
      id: id(text),
      type,
      bytes: bytesOfTx(text),
    })),
  )
  await insertPrimary(database, 'primary_transactions', [
    { chain: fujiKeys.x, height: 1, index: 0, ts: pTime(1), id: id(world.xTx), type: 0 },
  ])
  await insertPrimary(database, 'blockchains', [
    { chain, height: 0, ts: pTime(0), blockchain_id: id(world.cChain), name: 'C-Chain', index: 1 },
    {
      chain,
      height: 1,
      ts: pTime(1),
      blockchain_id: id(first.chain),
      subnet: id(first.subnet),
      name: 'First',
    },
  ])
  await insertPrimary(database, 'subnets', [
    {
      chain,
      height: 1,
      ts: pTime(1),
      subnet: id(first.subnet),
      conversion_tx: id(first.convert),
      manager_chain: id(first.chain),
    },
    {
      chain,
      height: 2,
      ts: pTime(2),
      subnet: id(second.subnet),
      conversion_tx: idBytes('another conversion'),
      manager_chain: id(world.cChain),
    },
    { chain, height: 4, ts: pTime(4), subnet: idBytes('plain subnet') },
  ])
  await insertPrimary(database, 'l1_validators', [
    {
      chain,
      height: 1,
      ts: pTime(1),
      validation_id: id(first.validation),
      tx_id: id(first.convert),
      subnet: id(first.subnet),
      node: idBytes('node').subarray(0, 20),
      weight: '20',
      min_nonce: '0',
    },
    {
      chain,
      height: 3,
      ts: pTime(3),
      validation_id: id(second.validation),
      tx_id: id(second.register),
      subnet: id(second.subnet),
      node: idBytes('node 2').subarray(0, 20),
      weight: standing.weight,
      min_nonce: standing.minNonce,
    },
  ])
}

/** A validator of a test: its behaviour, its weight, and the subnets that it signs for. */
type Cast = ValidatorOptions & { readonly weight: bigint; readonly subnets?: readonly string[] }

/** A service of this network, its validators as real peers, and the node that reports them. */
export type SignatureService = {
  readonly service: TestService
  readonly node: ScriptedNode
  readonly validators: readonly TestValidator[]
  /** Requests a path below `/v1/signatureAggregator/fuji`; an object is sent with POST. */
  ask(
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown>; retryAfter: unknown }>
  /** The hex of the unsigned message, and its signers by number, of a signed one that holds for a subnet. Throws else. */
  check(signed: unknown, subnetId?: string): { message: string; signers: number[] }
  close(): Promise<void>
}

const primary = cb58(primarySubnet)
const tip = 9

/** Starts it. `settings` are those of `signatures`; `chains` are added to the C-Chain. */
export async function startSignatureService(
  database: Database,
  cast: readonly Cast[],
  settings: Record<string, unknown> = {},
  chains: readonly Record<string, unknown>[] = [],
  limits: Record<string, unknown> = {},
): Promise<SignatureService> {
  const validators = await Promise.all(
    cast.map((options) => startValidator({ networkId: world.networkId, ...options })),
  )
  const ofSubnet = (subnet: unknown) =>
    validators.flatMap((validator, at) => {
      const { weight = 0n, subnets = [primary] } = cast[at] ?? {}
      return subnets.includes(String(subnet)) ? [{ validator, weight }] : []
    })
  const node = await startScriptedNode(({ method, params }) => {
    const given = (params[0] ?? {}) as Record<string, unknown>
    switch (method) {
      case 'platform.getValidatorsAt':
        if (Number(given['height']) > tip) {
          throw new NodeError(-32_000, `current P-chain height (${tip}) < requested P-Chain height`)
        }
        return Object.fromEntries(
          ofSubnet(given['subnetID']).map(({ validator, weight }) => [
            validator.nodeId,
            { publicKey: hex(validator.publicKey), weight: weight.toString() },
          ]),
        )
      case 'platform.getProposedHeight':
      case 'platform.getHeight':
        return { height: String(tip) }
      case 'platform.validatedBy':
        if (given['blockchainID'] === world.ahead.chain) return { subnetID: world.ahead.subnet }
        throw new NodeError(-32_000, 'problem retrieving blockchain')
      case 'platform.getSubnet':
        if (given['subnetID'] === world.ahead.subnet) return { isPermissioned: false }
        throw new NodeError(-32_000, 'the subnet does not exist')
      case 'info.getNodeID':
        return { nodeID: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg' }
      case 'info.getNodeIP':
        return { ip: '127.0.0.1:9' }
      case 'info.peers':
        return {
          peers: validators.map(({ nodeId, port }) => ({ nodeID: nodeId, publicIP: `127.0.0.1:${port}` })),
        }
      default:
        throw new NodeError(-32_601, `the method ${method} does not exist`)
    }
  })
  const home = await mkdtemp(join(tmpdir(), 'ridgeline-signatures-'))
  const config = testConfig({
    networks: [
      { id: 'fuji', name: 'Test network', networkId: world.networkId, prefix: 'local', nodeUrl: node.url },
    ],
    chains: [
      {
        evmChainId: 43_113,
        name: 'Test Chain',
        rpcUrl: 'http://127.0.0.1:9',
        network: 'fuji',
        blockchainId: world.cChain,
        subnetId: primary,
      },
      ...chains,
    ],
    signatures: { deadlineSeconds: 5, answerSeconds: 1, ...settings },
    limits,
  })
  const service = await startTestService(database, { config: { ...config, home } })
  // Peers refuse a peer whose clock is wrong.
  service.now = Math.floor(Date.now() / 1_000)
  return {
    service,
    node,
    validators,
    async ask(path, body) {
      const response = await service.app.inject({
        method: body ? 'POST' : 'GET',
        url: `/v1/signatureAggregator/fuji${path}`,
        ...(body && { payload: body }),
      })
      const retryAfter = response.headers['retry-after']
      return { status: response.statusCode, body: response.json(), retryAfter }
    },
    check: (signed, subnet = primary) =>
      checkSigned(
        String(signed),
        ofSubnet(subnet).map(({ validator }) => validator),
      ),
    async close() {
      await service.close()
      await Promise.all(validators.map((validator) => validator.stop()))
      await node.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

export const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** Parses a signed message by hand and verifies it with another library; `signers` are indexes of `validators`. */
function checkSigned(
  signed: string,
  validators: readonly TestValidator[],
): { message: string; signers: number[] } {
  const bytes = Buffer.from(signed.slice(2), 'hex')
  const payloadSize = bytes.readUInt32BE(38)
  const message = bytes.subarray(0, 42 + payloadSize)
  const tail = bytes.subarray(message.length)
  const bitsSize = tail.readUInt32BE(4)
  const bits = BigInt(hex(tail.subarray(8, 8 + bitsSize)))
  if (tail.readUInt32BE(0) !== 0 || tail[8] === 0 || tail.length !== 8 + bitsSize + 96)
    throw new Error('form')
  const points = validators.map((validator, place) => ({
    place,
    point: bls12_381.G1.Point.fromHex(Buffer.from(validator.publicKey).toString('hex')),
  }))
  const canonical = points.toSorted((left, right) =>
    left.point.toHex(false) < right.point.toHex(false) ? -1 : 1,
  )
  const among = canonical.filter((_each, at) => ((bits >> BigInt(at)) & 1n) === 1n)
  const { longSignatures } = bls12_381
  const tag = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
  const keys = longSignatures.aggregatePublicKeys(among.map(({ point }) => point))
  if (!longSignatures.verify(tail.subarray(8 + bitsSize), longSignatures.hash(message, tag), keys)) {
    throw new Error('the aggregate does not hold')
  }
  return { message: hex(message), signers: among.map(({ place }) => place).toSorted((a, b) => a - b) }
}

/** The unsigned message of a call without a sender, in hex. */
export const messageOf = (text: string, networkId = 12_345, source = world.cChain): string => {
  const payload = Buffer.concat([
    Buffer.from('00000000000100000000', 'hex'),
    Buffer.alloc(4),
    Buffer.from(text),
  ])
  payload.writeUInt32BE(text.length, 10)
  const head = Buffer.alloc(42)
  head.writeUInt32BE(networkId, 2)
  Buffer.from(idOfText(source)).copy(head, 6)
  head.writeUInt32BE(payload.length, 38)
  return Buffer.concat([head, payload]).toString('hex')
}
/** A message of the P-Chain with a payload in hex. */
export const pMessage = (payload: string): string => {
  const size = (text: string): string => (text.length / 2).toString(16).padStart(8, '0')
  const call = `000000000001${'00'.repeat(4)}${size(payload)}${payload}`
  return `000000003039${'00'.repeat(32)}${size(call)}${call}`
}
