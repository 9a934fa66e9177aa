import { randomBytes } from 'node:crypto'
import { signProof } from '../primary/keys.ts'
import type { Hex } from '../primary/ledger.ts'
import type { Node } from '../primary/world.ts'
import { emptyFilter, encodeMessage, type ClaimedAddress } from '../../protocol/peer/messages.ts'
import type { Client } from '../../protocol/peer/messages_pb.ts'

/** Every validator of the sample listens here. */
export const host = '127.0.0.1'
const hostBytes = Uint8Array.from([127, 0, 0, 1])
/** Proposals that the validators' release supports. */
export const knownAcps: number[] = [181, 204, 226]

/** The release that every node runs: since Helicon none speaks to an older one. */
export const release: Pick<Client, 'name' | 'major' | 'minor' | 'patch'> = {
  name: 'avalanchego',
  major: 1,
  minor: 15,
  patch: 0,
}

/** An address as it is signed: 16 bytes of IPv6 (IPv4 mapped into it), the port, Unix seconds of the signing. */
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

/** A node's signed address: signed once for a port, as signing takes a while. */
export type SignedAddress = {
  readonly port: number
  handshake(networkId: number, subnets: readonly Hex[]): Uint8Array
  /** What others tell of it. `txId`: the transaction that made it a validator. */
  claim(txId: Hex): ClaimedAddress & { readonly txId: Uint8Array }
  /** Makes the slow one of the two signatures, if it has not been made yet. */
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
