import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { randomBytes } from 'node:crypto'
import { signProof } from '../primary/keys.ts'
import type { Node } from '../primary/world.ts'
import { emptyFilter, encodeMessage, type ClaimedAddress } from '../../protocol/peer/messages.ts'
import type { Client } from '../../protocol/peer/messages_pb.ts'

/** Every validator of the sample listens here. */
export const host = '127.0.0.1'
const hostBytes = Uint8Array.from([127, 0, 0, 1])
/** The proposals (ACPs) that the validators' release supports. */
export const knownAcps: number[] = [181, 204, 226]

/** The release of every node: since Helicon, nodes disconnect from older ones. */
export const release: Pick<Client, 'name' | 'major' | 'minor' | 'patch'> = {
  name: 'avalanchego',
  major: 1,
  minor: 15,
  patch: 0,
}

/**
 * The signed form of an address: 16 bytes of IPv6 (or mapped IPv4), the port, and the signing time in Unix
 * seconds.
 */
export function signedBytes(ip: Uint8Array, port: number, signingTime: bigint): Uint8Array {
  const bytes = Buffer.alloc(26)
  if (ip.length === 4) {
    bytes.writeUInt16BE(0xffff, 10)
    bytes.set(ip, 12)
  } else bytes.set(ip, 0)
  bytes.writeUInt16BE(port, 16)
  bytes.writeBigUInt64BE(signingTime, 18)
  return bytes
}

/** A node's signed address, signed once per port because signing is slow. */
export type SignedAddress = {
  readonly port: number
  handshake(networkId: number, subnets: readonly BareHex[]): Uint8Array
  /** The claim about this address that other nodes send. `txId`: the transaction that made it a validator. */
  claim(txId: BareHex): ClaimedAddress & { readonly txId: Uint8Array }
  /** Computes the slower of the two signatures unless it exists. */
  prepare(): void
}

export function signAddress(node: Node, port: number): SignedAddress {
  const signingTime = BigInt(Math.floor(Date.now() / 1000))
  const bytes = signedBytes(hostBytes, port, signingTime)
  let tls: Uint8Array | undefined
  let bls: Uint8Array | undefined
  const tlsSignature = (): Uint8Array => (tls ??= node.certificate.sign(bytes))
  const blsSignature = (): Uint8Array => (bls ??= signProof(bytes, node.blsSecret()))
  return {
    port,
    handshake(networkId, subnets) {
      const value = {
        networkId,
        time: BigInt(Math.floor(Date.now() / 1000)),
        address: hostBytes,
        port,
        signingTime,
        tlsSignature: tlsSignature(),
        blsSignature: blsSignature(),
        trackedSubnets: subnets.map((id) => Buffer.from(id, 'hex')),
        client: release,
        knownPeers: { filter: emptyFilter, salt: randomBytes(32) },
        supportedAcps: knownAcps,
      }
      return encodeMessage({ case: 'handshake', value })
    },
    claim: (txId) => ({
      certificate: node.certificate.der,
      address: hostBytes,
      port,
      timestamp: signingTime,
      signature: tlsSignature(),
      txId: Buffer.from(txId, 'hex'),
    }),
    prepare: () => void blsSignature(),
  }
}
