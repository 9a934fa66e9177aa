import { verify, X509Certificate } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { nodeIdOf } from '../../../protocol/native/hashes.ts'
import { nodeIdText } from '../../../protocol/ids/text.ts'
import { isPublicAddress } from '../../kernel/guarded-fetch.ts'
import type { ClaimedAddress } from '../../../protocol/peer/messages.ts'

/** The address that a peer listens on. */
export type PeerAddress = { readonly host: string; readonly port: number }

/** The largest certificate that peers accept (docs/signatures.md). */
export const maxCertificateBytes = 2_048

const mapped = Buffer.from('00000000000000000000ffff', 'hex')

/** An address in text, as `1.2.3.4:9651` or `[2001:db8::1]:9651`; undefined for other text. */
export function addressOfText(text: string): PeerAddress | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text)
  const host = match?.[1] ?? match?.[2] ?? ''
  const port = Number(match?.[3])
  return isIP(host) !== 0 && port > 0 && port < 65_536 ? { host, port } : undefined
}

/** The 4 or 16 bytes of an address as text; undefined for another number of bytes. */
export function hostOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length === 16 && mapped.equals(bytes.subarray(0, 12))) return hostOfBytes(bytes.subarray(12))
  if (bytes.length === 4) return [...bytes].join('.')
  if (bytes.length !== 16) return undefined
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  )
  return groups.join(':')
}

/** The signed bytes of an address: 16 bytes, the port, the time in Unix seconds (docs/signatures.md). */
export function claimBytes(address: Uint8Array, port: number, timestamp: bigint): Buffer {
  const bytes = Buffer.alloc(26)
  if (address.length === 4) bytes.set(mapped)
  bytes.set(address, 16 - address.length)
  bytes.writeUInt16BE(port, 16)
  bytes.writeBigUInt64BE(timestamp, 18)
  return bytes
}

/** The node id of a certificate in DER, as text. */
export const nodeIdOfCertificate = (der: Uint8Array): string => nodeIdText(nodeIdOf(der))

/** Whether an address is public. */
export const isOnInternet = ({ host }: PeerAddress): boolean => isPublicAddress(host)

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether an address is a loopback address. */
export const isLoopback = ({ host }: PeerAddress): boolean =>
  loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')

/** A claim with a valid signature, and the node that made it. */
export type ProvenAddress = PeerAddress & { readonly nodeId: string; readonly timestamp: bigint }

/**
 * The node and the address of a claim; undefined if the signature is invalid, the time is more than a minute ahead of
 * `now` (Unix seconds), or the certificate or address is malformed.
 */
export function checkClaim(claim: ClaimedAddress, now: number): ProvenAddress | undefined {
  const { certificate, address, port, timestamp, signature } = claim
  const host = hostOfBytes(address)
  const isPlausible =
    certificate.length <= maxCertificateBytes &&
    port > 0 &&
    port < 65_536 &&
    timestamp <= BigInt(now) + 60n &&
    host !== undefined
  if (!isPlausible) return undefined
  try {
    const { publicKey } = new X509Certificate(certificate)
    if (!verify('sha256', claimBytes(address, port, timestamp), publicKey, signature)) return undefined
  } catch {
    // A malformed certificate or signature counts as an invalid one.
    return undefined
  }
  return { host, port, timestamp, nodeId: nodeIdOfCertificate(certificate) }
}
