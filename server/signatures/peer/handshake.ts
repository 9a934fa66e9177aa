import { sign } from 'node:crypto'
import { claimBytes } from './address.ts'
import { PeerFailure } from './failures.ts'
import type { Identity } from './identity.ts'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { emptyFilter } from '../../../protocol/peer/messages.ts'
import type { Client, Handshake, HandshakeSchema } from '../../../protocol/peer/messages_pb.ts'

/** The release that a peer runs. */
export type ClientVersion = Pick<Client, 'name' | 'major' | 'minor' | 'patch'>

/** The largest difference between the clocks of two peers, in seconds. */
const maxClockSeconds = 60

/** The claimed address. Nothing listens there: peers connect back to validators only. */
const claimed = { address: Uint8Array.of(127, 0, 0, 1), port: 9 }

/** The part of handshakes that is the same for all peers of a network. */
export type Introduction = Pick<
  Handshake,
  'networkId' | 'address' | 'port' | 'signingTime' | 'tlsSignature' | 'blsSignature'
> & {
  /** The release to announce; the peer's own if absent. */
  readonly client?: ClientVersion
}

/** Signs the claimed address once; `proof` signs bytes with the BLS key and the tag of proofs of possession. */
export async function makeIntroduction(options: {
  readonly networkId: number
  readonly identity: Identity
  readonly proof: (secret: Uint8Array, bytes: Uint8Array) => Promise<Uint8Array>
  /** Unix seconds. */
  readonly now: number
  readonly client?: ClientVersion
}): Promise<Introduction> {
  const { networkId, identity, proof, now, client } = options
  const bytes = claimBytes(claimed.address, claimed.port, BigInt(now))
  return {
    networkId,
    ...claimed,
    signingTime: BigInt(now),
    tlsSignature: sign('sha256', bytes, identity.privateKey),
    blsSignature: await proof(identity.blsSecret, bytes),
    ...(client && { client }),
  }
}

/**
 * The reply to a peer's handshake. `now` is in Unix seconds. Throws a PeerFailure if the peer belongs to another network
 * or the clocks differ too much: the peer would close the connection without an error.
 */
export function answerHandshake(
  introduction: Introduction,
  theirs: Handshake,
  now: number,
): MessageInitShape<typeof HandshakeSchema> {
  if (theirs.networkId !== introduction.networkId) {
    throw new PeerFailure(
      'network',
      `the validator is of network ${theirs.networkId}, not ${introduction.networkId}`,
    )
  }
  const apart = Math.abs(Number(theirs.time) - now)
  if (!(apart <= maxClockSeconds)) {
    throw new PeerFailure(
      'clock',
      Number.isSafeInteger(apart)
        ? `the clocks are ${apart} s apart, at most ${maxClockSeconds} s are allowed`
        : "the validator's clock shows no time",
    )
  }
  return {
    ...introduction,
    time: BigInt(now),
    client: introduction.client ?? clientOf(theirs),
    knownPeers: { filter: emptyFilter },
    allSubnets: true,
  }
}

/** A peer's release, which is announced as our own. */
function clientOf({ client }: Handshake): ClientVersion {
  if (client === undefined) throw new PeerFailure('malformed', 'the validator names no release')
  const { name, major, minor, patch } = client
  return { name: name.slice(0, 64), major, minor, patch }
}

/** A release in text, such as avalanchego/1.15.0. Throws a RangeError for other text. */
export function clientVersionOf(text: string): ClientVersion {
  const [, name, major, minor, patch] = /^([a-z]+)\/(\d+)\.(\d+)\.(\d+)$/.exec(text) ?? []
  if (name === undefined) throw new RangeError(`${text} is not a release`)
  return { name, major: Number(major), minor: Number(minor), patch: Number(patch) }
}
