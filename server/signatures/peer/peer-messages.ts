import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { PeerFailure } from './failures.ts'
import { decompressFrame } from './zstd.ts'

/** The release that a peer runs. */
export type ClientVersion = {
  readonly name: string
  readonly major: number
  readonly minor: number
  readonly patch: number
}

/** The first message of both sides. */
export type Handshake = {
  readonly networkId: number
  /** Unix seconds. */
  readonly time: number
  /** 4 or 16 bytes. */
  readonly address: Uint8Array
  readonly port: number
  /** Unix seconds. */
  readonly signingTime: number
  readonly tlsSignature: Uint8Array
  readonly blsSignature: Uint8Array
  readonly client: ClientVersion
}

/** Where a validator says that it is, signed with its certificate's key. */
export type Claim = {
  /** DER */
  readonly certificate: Uint8Array
  /** 4 or 16 bytes. */
  readonly address: Uint8Array
  readonly port: number
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly signature: Uint8Array
}

/** The messages that matter here; every other one is `other`. */
export type PeerMessage =
  | { readonly kind: 'ping' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'handshake'; readonly handshake: Handshake }
  | { readonly kind: 'peerList'; readonly claims: readonly Claim[] }
  | { readonly kind: 'getPeerList' }
  | {
      readonly kind: 'appRequest'
      readonly chainId: Uint8Array
      readonly requestId: number
      readonly deadline: bigint
      readonly bytes: Uint8Array
    }
  | {
      readonly kind: 'appResponse'
      readonly chainId: Uint8Array
      readonly requestId: number
      readonly bytes: Uint8Array
    }
  | {
      readonly kind: 'appError'
      readonly chainId: Uint8Array
      readonly requestId: number
      readonly code: number
      readonly text: string
    }
  | { readonly kind: 'other' }

/** The field of each message in the envelope (signatures.md, Peer connection). */
const fields = {
  compressed: 2,
  ping: 11,
  pong: 12,
  handshake: 13,
  peerList: 14,
  appRequest: 30,
  appResponse: 31,
  appError: 34,
  getPeerList: 35,
} as const

/** Addresses that are read of one list. */
const mostClaims = 1_024
const empty = new Uint8Array()

/** A filter that holds nobody: it asks a peer for everyone that it knows. */
const everyone = Buffer.from('01000000000000000000', 'hex')

/** No message of peers has a field of a higher number; what has is not kept. */
const highestField = 63

type Fields = {
  /** The last value of each field. */
  readonly last: ReadonlyMap<number, bigint | Uint8Array>
  /** The values of field 1, as many of them as were asked for. */
  readonly list: readonly Uint8Array[]
  /** The field that came last. */
  readonly latest: number
}

/** Reads one level of a message. Fields of other wire types than those that peers use are refused. */
function readFields(bytes: Uint8Array, mostListed = 0): Fields {
  const reader = new BinaryReader(bytes)
  const last = new Map<number, bigint | Uint8Array>()
  const list: Uint8Array[] = []
  let latest = 0
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    let value: bigint | Uint8Array
    if (type === WireType.Varint) value = BigInt(reader.uint64())
    else if (type === WireType.LengthDelimited) value = reader.bytes()
    else if (type === WireType.Bit32 || type === WireType.Bit64) {
      reader.skip(type, field)
      continue
    } else throw new PeerFailure('malformed', `wire type ${type} is not in use`)
    if (field > highestField) continue
    last.set(field, value)
    latest = field
    if (field === 1 && value instanceof Uint8Array && list.length < mostListed) list.push(value)
  }
  return { last, list, latest }
}

function bytesOf({ last }: Fields, field: number): Uint8Array {
  const value = last.get(field) ?? empty
  if (!(value instanceof Uint8Array)) throw new PeerFailure('malformed', `field ${field} holds no bytes`)
  return value
}

function integerOf({ last }: Fields, field: number): bigint {
  const value = last.get(field) ?? 0n
  if (typeof value !== 'bigint') throw new PeerFailure('malformed', `field ${field} holds no integer`)
  return value
}

/** Protobuf cuts a 32-bit field's varint to 32 bits. */
const smallOf = (of: Fields, field: number): number => Number(BigInt.asUintN(32, integerOf(of, field)))

/** A time of a peer; one that no clock shows is infinite, and so refused as any other wrong one. */
function timeOf(of: Fields, field: number): number {
  const value = Number(integerOf(of, field))
  return Number.isSafeInteger(value) ? value : Number.POSITIVE_INFINITY
}

/** The text of a peer: what is no UTF-8 becomes U+FFFD. */
const textOf = (of: Fields, field: number): string =>
  new TextDecoder('utf-8').decode(bytesOf(of, field).subarray(0, 1_024))

/** Reads a message as it came in its frame. Throws a PeerFailure for bytes that are none. */
export function decodeMessage(bytes: Uint8Array): PeerMessage {
  try {
    const message = readFields(bytes)
    const compressed = message.last.get(fields.compressed)
    if (compressed === undefined) return decodePlain(message)
    const inner = readFields(decompressFrame(bytesOf(message, fields.compressed)))
    if (inner.last.has(fields.compressed)) throw new PeerFailure('malformed', 'compressed twice')
    return decodePlain(inner)
  } catch (error) {
    if (error instanceof PeerFailure) throw error
    throw new PeerFailure('malformed', 'a message can not be read', { cause: error })
  }
}

function decodePlain(message: Fields): PeerMessage {
  // Only one message may be in it: of several the last one counts.
  const field = message.latest
  const within = (mostListed?: number): Fields => readFields(bytesOf(message, field), mostListed)
  switch (field) {
    case fields.ping:
      return { kind: 'ping' }
    case fields.pong:
      return { kind: 'pong' }
    case fields.getPeerList:
      return { kind: 'getPeerList' }
    case fields.handshake:
      return { kind: 'handshake', handshake: decodeHandshake(within()) }
    case fields.peerList:
      return { kind: 'peerList', claims: within(mostClaims).list.map(decodeClaim) }
    case fields.appRequest: {
      const inner = within()
      return {
        kind: 'appRequest',
        ...addressed(inner),
        deadline: integerOf(inner, 3),
        bytes: bytesOf(inner, 4),
      }
    }
    case fields.appResponse: {
      const inner = within()
      return { kind: 'appResponse', ...addressed(inner), bytes: bytesOf(inner, 3) }
    }
    case fields.appError: {
      const inner = within()
      const zigzag = BigInt.asUintN(32, integerOf(inner, 3))
      const code = Number(zigzag & 1n ? -(zigzag >> 1n) - 1n : zigzag >> 1n)
      return { kind: 'appError', ...addressed(inner), code, text: textOf(inner, 4) }
    }
    default:
      return { kind: 'other' }
  }
}

const addressed = (inner: Fields): { chainId: Uint8Array; requestId: number } => ({
  chainId: bytesOf(inner, 1),
  requestId: smallOf(inner, 2),
})

function decodeHandshake(inner: Fields): Handshake {
  const client = readFields(bytesOf(inner, 9))
  return {
    networkId: smallOf(inner, 1),
    time: timeOf(inner, 2),
    address: bytesOf(inner, 3),
    port: smallOf(inner, 4),
    signingTime: timeOf(inner, 6),
    tlsSignature: bytesOf(inner, 7),
    blsSignature: bytesOf(inner, 13),
    client: {
      name: textOf(client, 1).slice(0, 64),
      major: smallOf(client, 2),
      minor: smallOf(client, 3),
      patch: smallOf(client, 4),
    },
  }
}

function decodeClaim(bytes: Uint8Array): Claim {
  const claim = readFields(bytes)
  return {
    certificate: bytesOf(claim, 1),
    address: bytesOf(claim, 2),
    port: smallOf(claim, 3),
    timestamp: integerOf(claim, 4),
    signature: bytesOf(claim, 5),
  }
}

type Fill = (writer: BinaryWriter) => void

function envelope(field: number, fill: Fill): Uint8Array {
  const writer = new BinaryWriter().tag(field, WireType.LengthDelimited).fork()
  fill(writer)
  return writer.join().finish()
}

const integer = (writer: BinaryWriter, field: number, value: number | bigint): BinaryWriter =>
  writer.tag(field, WireType.Varint).uint64(value)
const blob = (writer: BinaryWriter, field: number, value: Uint8Array): BinaryWriter =>
  writer.tag(field, WireType.LengthDelimited).bytes(value)

export const encodePong = (): Uint8Array => envelope(fields.pong, () => undefined)
/** `uptime` is a percentage from 0 to 100. */
export const encodePing = (uptime: number): Uint8Array =>
  envelope(fields.ping, (writer) => integer(writer, 1, uptime))

/** Asks for the addresses of everyone; a peer answers with a few of them. */
export const encodeGetPeerList = (): Uint8Array =>
  envelope(fields.getPeerList, (writer) => {
    askEveryone(writer, 1)
    integer(writer, 2, 1)
  })

function askEveryone(writer: BinaryWriter, field: number): void {
  blob(writer.tag(field, WireType.LengthDelimited).fork(), 1, everyone).join()
}

export const encodePeerList = (claims: readonly Claim[]): Uint8Array =>
  envelope(fields.peerList, (writer) => {
    for (const claim of claims) {
      writer.tag(1, WireType.LengthDelimited).fork()
      blob(writer, 1, claim.certificate)
      blob(writer, 2, claim.address)
      integer(writer, 3, claim.port)
      integer(writer, 4, claim.timestamp)
      blob(writer, 5, claim.signature)
      writer.join()
    }
  })

/** A handshake that tracks no subnet and asks for the addresses of everyone. */
export const encodeHandshake = (handshake: Handshake): Uint8Array =>
  envelope(fields.handshake, (writer) => {
    integer(writer, 1, handshake.networkId)
    integer(writer, 2, handshake.time)
    blob(writer, 3, handshake.address)
    integer(writer, 4, handshake.port)
    integer(writer, 6, handshake.signingTime)
    blob(writer, 7, handshake.tlsSignature)
    const { name, major, minor, patch } = handshake.client
    writer.tag(9, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(name)
    integer(writer, 2, major)
    integer(writer, 3, minor)
    integer(writer, 4, patch)
    writer.join()
    askEveryone(writer, 12)
    blob(writer, 13, handshake.blsSignature)
    integer(writer, 14, 1)
  })

/**
 * The id of the n-th request on a connection, from 0: an odd number of 32 bits. A C-chain never answers an
 * even one (signatures.md, Signature request).
 */
export const requestIdOf = (ordinal: number): number => ((ordinal % 2 ** 31) * 2 + 1) % 2 ** 32

/** What a peer is asked for a signature; `ordinal` numbers the requests of a connection, `deadline` is in ns. */
export const encodeAppRequest = (request: {
  readonly chainId: Uint8Array
  readonly ordinal: number
  readonly deadline: bigint
  readonly bytes: Uint8Array
}): Uint8Array =>
  envelope(fields.appRequest, (writer) => {
    blob(writer, 1, request.chainId)
    integer(writer, 2, requestIdOf(request.ordinal))
    integer(writer, 3, request.deadline)
    blob(writer, 4, request.bytes)
  })

export const encodeAppResponse = (answer: {
  readonly chainId: Uint8Array
  readonly requestId: number
  readonly bytes: Uint8Array
}): Uint8Array =>
  envelope(fields.appResponse, (writer) => {
    blob(writer, 1, answer.chainId)
    integer(writer, 2, answer.requestId)
    blob(writer, 3, answer.bytes)
  })

export const encodeAppError = (answer: {
  readonly chainId: Uint8Array
  readonly requestId: number
  readonly code: number
  readonly text: string
}): Uint8Array =>
  envelope(fields.appError, (writer) => {
    blob(writer, 1, answer.chainId)
    integer(writer, 2, answer.requestId)
    writer.tag(3, WireType.Varint).sint32(answer.code)
    writer.tag(4, WireType.LengthDelimited).string(answer.text)
  })

/** The handler of signature requests at a peer. */
const signatureHandler = 2

/** The bytes of a request for a signature (signatures.md, Signature request). */
export function encodeSignatureRequest(message: Uint8Array, justification: Uint8Array): Uint8Array {
  const writer = new BinaryWriter().uint32(signatureHandler)
  blob(writer, 1, message)
  if (justification.length > 0) blob(writer, 2, justification)
  return writer.finish()
}

/** The other way round; undefined for bytes that ask for something else. Throws on bytes that ask nothing. */
export function decodeSignatureRequest(
  bytes: Uint8Array,
): { readonly message: Uint8Array; readonly justification: Uint8Array } | undefined {
  if (bytes[0] !== signatureHandler) return undefined
  const request = readFields(bytes.subarray(1))
  return { message: bytesOf(request, 1), justification: bytesOf(request, 2) }
}

export const encodeSignatureResponse = (signature: Uint8Array): Uint8Array =>
  blob(new BinaryWriter(), 1, signature).finish()

/** The 96 bytes of an answer; undefined when there are not as many. Throws a PeerFailure for other bytes. */
export function decodeSignatureResponse(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const signature = bytesOf(readFields(bytes), 1)
    // A copy: it outlives the chunk of the connection that it came in.
    return signature.length === 96 ? Uint8Array.from(signature) : undefined
  } catch (error) {
    if (error instanceof PeerFailure) throw error
    throw new PeerFailure('malformed', 'an answer can not be read', { cause: error })
  }
}
