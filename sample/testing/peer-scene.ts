import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { hexOfCb58 } from '../../protocol/ids/bare-hex.ts'
import { resultOf } from './ask.ts'
import type { RunningSample } from './start.ts'
import { type Answer, answerTo, bytes, type Client, connected, request } from './peer.ts'

export const zeroId = Buffer.alloc(32)
export const precompile = '0x0200000000000000000000000000000000000005'
/** A GetPeerList of a node that knows no peers. */
export const peerListRequest = bytes(35, bytes(1, bytes(1, Buffer.from('01000000000000000000', 'hex'))))
export const cChain = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'
export const l1 = {
  chain: 'dBYNqGbtpjFH8gKS9hHYLTBtoGk949u6F5udxZiprgornSPVk',
  subnet: 'dHgMVVoFjZRrBBt1uRH2E38FAQXPkAsUF4MnujN8cYLcTLdcE',
} as const

export const sha256 = (of: Uint8Array): Buffer => createHash('sha256').update(of).digest()
export const idBytes = (cb58: string): Buffer => Buffer.from(hexOfCb58(cb58) ?? '', 'hex')
export const hex = (text: string): Buffer => Buffer.from(text, 'hex')

function sized(of: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(of.length)
  return Buffer.concat([length, of])
}

/** An unsigned message of network 5, in the format of ACP-77. */
export function unsigned(chain: Uint8Array, payload: Uint8Array, network = 5): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt32BE(network, 2)
  return Buffer.concat([head, chain, sized(payload)])
}

export function call(payload: Uint8Array, source: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([hex('000000000001'), sized(source), sized(payload)])
}

/** The payload with a block's hash. */
export function hashOf(block: Uint8Array): Buffer {
  return Buffer.concat([hex('000000000000'), block])
}

export function u64(value: bigint): Buffer {
  const of = Buffer.alloc(8)
  of.writeBigUInt64BE(value)
  return of
}

/** A message that the P-Chain's validators are asked to confirm, by type. */
export function fromP(type: number, ...parts: readonly Uint8Array[]): Buffer {
  return unsigned(zeroId, call(Buffer.concat([hex(`00000000000${type}`), ...parts])))
}

type Member = {
  readonly publicKey: string | null
  readonly weight: string
}

/** A message in an EVM chain's logs. */
type Sent = {
  readonly id: string
  readonly sender: string
  /** The time of its block, Unix seconds. */
  readonly time: number
  readonly message: Buffer
}

type Log = {
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: string
}

/** The data of a running sample that these tests use. */
export type Scene = {
  readonly p: string
  validators(subnetID?: string): Promise<ReadonlyMap<string, Member>>
  /** The addresses that info.peers returns: host and port by node id. */
  addresses(): Promise<ReadonlyMap<string, string>>
  /** A validator with a key that behaves correctly, of a subnet if one is given. */
  honest(subnetID?: string): Promise<{ nodeId: string; address: string; key: string }>
  subnetIds(): Promise<string[]>
  /** A connection after its handshake; the scene closes it. */
  meet(address: string): Promise<Client>
  sentBy(chain: string): Promise<Sent[]>
  closeAll(): void
}

export function sceneOf(sample: RunningSample): Scene {
  const p = `${sample.url}/ext/bc/P`
  const open = new Set<Client>()

  async function validators(subnetID?: string): Promise<ReadonlyMap<string, Member>> {
    const { height } = await resultOf<{ height: string }>(p, 'platform.getHeight', {})
    const params = { height: Number(height), ...(subnetID === undefined ? {} : { subnetID }) }
    return new Map(
      Object.entries(await resultOf<Record<string, Member>>(p, 'platform.getValidatorsAt', params)),
    )
  }

  return {
    p,
    validators,
    async addresses() {
      const { peers } = await resultOf<{ peers: readonly { nodeID: string; publicIP: string }[] }>(
        `${sample.url}/ext/info`,
        'info.peers',
        {},
      )
      return new Map(peers.map(({ nodeID, publicIP }) => [nodeID, publicIP]))
    },
    async honest(subnetID) {
      const set = await validators(subnetID)
      for (const { nodeId, behaviour, address } of await sample.control.peers()) {
        const key = set.get(nodeId)?.publicKey
        if (behaviour === 'honest' && address !== undefined && typeof key === 'string') {
          return { nodeId, address, key }
        }
      }
      throw new Error('no validator behaves correctly')
    },
    async subnetIds() {
      const { subnets } = await resultOf<{ subnets: readonly { id: string }[] }>(p, 'platform.getSubnets', {})
      return subnets.map(({ id }) => id)
    },
    async meet(address) {
      const client = await connected(address)
      open.add(client)
      return client
    },
    async sentBy(chain) {
      const filter = { address: precompile, fromBlock: '0x0', toBlock: 'latest' }
      const rpc = `${sample.url}/ext/bc/${chain}/rpc`
      const logs = await resultOf<readonly Log[]>(rpc, 'eth_getLogs', filter)
      const times = logs.map(async ({ blockNumber }) => {
        const block = await resultOf<{ timestamp: string }>(rpc, 'eth_getBlockByNumber', blockNumber, false)
        return Number(block.timestamp)
      })
      const read = logs.map(async ({ topics, data }, index): Promise<Sent> => {
        const of = Buffer.from(data.slice(2), 'hex')
        const message = of.subarray(64, 64 + Number(of.readBigUInt64BE(56)))
        const sender = topics[1]?.slice(-40) ?? ''
        return { id: topics[2]?.slice(2) ?? '', sender, message, time: (await times[index]) ?? 0 }
      })
      return Promise.all(read)
    },
    closeAll() {
      for (const client of open) client.close()
      open.clear()
    },
  }
}

export async function ask(
  client: Client,
  chain: Uint8Array,
  message: Uint8Array,
  justification?: Uint8Array,
): Promise<Answer | undefined> {
  client.send(request(chain, message, justification))
  return answerTo(client)
}

/** Sends messages that must be ignored: the first answer belongs to another message sent after them. */
export async function expectSilence(client: Client, ...asked: readonly Buffer[]): Promise<void> {
  for (const message of asked) client.send(message)
  client.send(request(zeroId, Buffer.from('00', 'hex'), undefined, { id: 999_999 }))
  expect((await answerTo(client))?.requestId).toBe(999_999)
}
