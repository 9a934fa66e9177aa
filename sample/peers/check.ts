import { Signature } from '@chainsafe/blst'
import { type KeyObject, verify, type X509Certificate } from 'node:crypto'
import { signedBytes } from './identity.ts'
import type { BloomFilter, Client, Handshake } from '../../protocol/peer/messages_pb.ts'

const maxSubnets = 16
const maxSalt = 32
const maxHashes = 16
const maxSkew = 60n
const maxCertificate = 2_048
/** Since Helicon, nodes disconnect from older releases. */
const oldest = { major: 1, minor: 15, patch: 0 }

/**
 * The reason why a peer's certificate is rejected; undefined if it is accepted: P-256, or RSA with 2048 or
 * 4096 bits.
 */
export function certificateFault({ raw, publicKey }: X509Certificate): string | undefined {
  if (raw.length > maxCertificate) return 'certificate too large'
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey
  if (type === 'ec') return details?.namedCurve === 'prime256v1' ? undefined : 'unsupported elliptic curve'
  if (type !== 'rsa') return 'unknown public key algorithm'
  if (details?.modulusLength !== 2_048 && details?.modulusLength !== 4_096) return 'unsupported RSA modulus'
  return details.publicExponent === 65_537n ? undefined : 'unsupported RSA exponent'
}

/** Whether bytes are a bloom filter: number of hashes, their seeds, and at least one byte of entries. */
export function isFilter(known: BloomFilter | undefined): boolean {
  if (known === undefined) return false
  const { filter, salt } = known
  const [hashes = 0] = filter
  return hashes >= 1 && hashes <= maxHashes && filter.length >= 2 + 8 * hashes && salt.length <= maxSalt
}

function isOld({ name, major, minor, patch }: Client): boolean {
  if (name !== 'avalanchego' || major !== oldest.major) return true
  return minor < oldest.minor || (minor === oldest.minor && patch < oldest.patch)
}

function isPoint(signature: Uint8Array): boolean {
  try {
    Signature.fromBytes(signature, true)
    return true
  } catch {
    // The library reports bytes that are not a point of the group only by throwing.
    return false
  }
}

/**
 * The reason why a node closes the connection after this handshake; undefined if it does not. `now` in Unix
 * seconds.
 */
export function handshakeFault(
  said: Handshake,
  key: KeyObject,
  networkId: number,
  now: bigint,
): string | undefined {
  if (said.networkId !== networkId) return 'network'
  const skew = said.time > now ? said.time - now : now - said.time
  if (skew > maxSkew) return 'clock'
  if (said.trackedSubnets.length > maxSubnets) return 'too many subnets'
  if (said.trackedSubnets.some((id) => id.length !== 32)) return 'subnet'
  if (said.knownPeers !== undefined && !isFilter(said.knownPeers)) return 'known peers'
  if (said.address.length !== 4 && said.address.length !== 16) return 'address'
  // A node uses the lowest 16 bits of the port, but compares the whole value with 0.
  if (said.port === 0) return 'port'
  if (said.signingTime > now + maxSkew) return 'signing time'
  const bytes = signedBytes(said.address, said.port & 0xffff, said.signingTime)
  if (!verify('sha256', bytes, key, said.tlsSignature)) return 'TLS signature'
  if (!isPoint(said.blsSignature)) return 'BLS signature'
  return said.client === undefined || isOld(said.client) ? 'release' : undefined
}
