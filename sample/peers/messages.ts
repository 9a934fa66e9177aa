import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { decompress } from 'fzstd'

/** Largest message of the peer protocol, before and after decompression. */
export const MOST_BYTES = 2 * 1024 * 1024

/** Bytes that are no message of the peer protocol. */
export class MessageError extends Error {
  override readonly name = 'MessageError'
}

/** What a peer says of itself first. */
export interface Handshake {
  readonly networkId: number
  /** Unix seconds. */
  readonly time: bigint
  /** 4 or 16 bytes. */
  readonly ip: Uint8Array
  readonly port: number
  /** Unix seconds. */
  readonly signingTime: bigint
  readonly tlsSignature: Uint8Array
  readonly blsSignature: Uint8Array
  readonly trackedSubnets: readonly Uint8Array[]
  readonly client: Client
  /** Undefined when the peer names no known peers; else the bloom filter's bytes and its salt. */
  readonly known: Filter | undefined
}

export interface Client {
  readonly name: string
  readonly major: number
  readonly minor: number
  readonly patch: number
}

export interface Filter {
  readonly filter: Uint8Array
  readonly salt: Uint8Array
}

/** Where a validator says that it listens. */
export interface Claim {
  readonly certificate: Uint8Array
  readonly ip: Uint8Array
  readonly port: number
  readonly signingTime: bigint
  readonly signature: Uint8Array
  readonly txId: Uint8Array
}

export interface AppRequest {
  readonly chainId: Uint8Array
  readonly requestId: number
  /** Nanoseconds. */
  readonly deadline: bigint
  readonly bytes: Uint8Array
}

export interface SignatureRequest {
  readonly message: Uint8Array
  readonly justification: Uint8Array
}

/** A message that a peer of ours reads; `other` is what it does not look into. */
export type Message =
  | { readonly type: 'ping'; readonly uptime: number }
  | { readonly type: 'pong' }
  | { readonly type: 'handshake'; readonly handshake: Handshake }
  | { readonly type: 'peerList'; readonly claims: readonly Claim[] }
  | { readonly type: 'getPeerList'; readonly known: Filter }
  | { readonly type: 'appRequest'; readonly request: AppRequest }
  | { readonly type: 'other' }

const EMPTY = new Uint8Array()

interface Field {
  readonly number: number
  readonly bytes: Uint8Array
  readonly value: bigint
}

/** The fields of a protobuf message in their order. Throws `MessageError`. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  try {
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [number, wire] = reader.tag()
      if (wire === WireType.LengthDelimited) fields.push({ number, bytes: reader.bytes(), value: 0n })
      else if (wire === WireType.Varint) {
        fields.push({ number, bytes: EMPTY, value: BigInt(reader.uint64()) })
      } else reader.skip(wire, number)
    }
  } catch (error) {
    throw new MessageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
  return fields
}

/** Reads fields by number: the last of a number counts. */
function pick(fields: readonly Field[]): {
  bytes(number: number): Uint8Array
  value(number: number): bigint
  short(number: number): number
  all(number: number): Uint8Array[]
  has(number: number): boolean
} {
  const last = (number: number): Field | undefined => fields.findLast((field) => field.number === number)
  return {
    bytes: (number) => last(number)?.bytes ?? EMPTY,
    value: (number) => last(number)?.value ?? 0n,
    short: (number) => Number((last(number)?.value ?? 0n) & 0xffff_ffffn),
    all: (number) => fields.filter((field) => field.number === number).map(({ bytes }) => bytes),
    has: (number) => last(number) !== undefined,
  }
}

function clientOf(bytes: Uint8Array): Client {
  const from = pick(fieldsOf(bytes))
  const name = Buffer.from(from.bytes(1)).toString()
  return { name, major: from.short(2), minor: from.short(3), patch: from.short(4) }
}

function filterOf(bytes: Uint8Array): Filter {
  const from = pick(fieldsOf(bytes))
  return { filter: from.bytes(1), salt: from.bytes(2) }
}

function handshakeOf(bytes: Uint8Array): Handshake {
  const from = pick(fieldsOf(bytes))
  return {
    networkId: from.short(1),
    time: from.value(2),
    ip: from.bytes(3),
    port: from.short(4),
    signingTime: from.value(6),
    tlsSignature: from.bytes(7),
    blsSignature: from.bytes(13),
    trackedSubnets: from.all(8),
    client: clientOf(from.bytes(9)),
    known: from.has(12) ? filterOf(from.bytes(12)) : undefined,
  }
}

function claimOf(bytes: Uint8Array): Claim {
  const from = pick(fieldsOf(bytes))
  return {
    certificate: from.bytes(1),
    ip: from.bytes(2),
    port: from.short(3),
    signingTime: from.value(4),
    signature: from.bytes(5),
    txId: from.bytes(6),
  }
}

function requestOf(bytes: Uint8Array): AppRequest {
  const from = pick(fieldsOf(bytes))
  return {
    chainId: from.bytes(1),
    requestId: from.short(2),
    deadline: from.value(3),
    bytes: from.bytes(4),
  }
}

/** The size that a zstd frame declares; undefined when it declares none. RFC 8878, 3.1.1.1. */
function declaredSize(frame: Uint8Array): bigint | undefined {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
  if (bytes.length < 6) throw new MessageError('cut zstd frame')
  const descriptor = bytes.readUInt8(4)
  const isSingle = (descriptor & 0x20) !== 0
  const size = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  if (size === 0) return undefined
  if (bytes.length < at + size) throw new MessageError('cut zstd frame')
  if (size === 8) return bytes.readBigUInt64LE(at)
  return BigInt(bytes.readUIntLE(at, size) + (size === 2 ? 256 : 0))
}

function unpack(frame: Uint8Array): Uint8Array {
  // Without a declared size the library would grow for as long as the frame tells it to.
  const size = declaredSize(frame)
  if (size === undefined || size > BigInt(MOST_BYTES))
    throw new MessageError('zstd frame of no or too large a size')
  try {
    return decompress(frame, new Uint8Array(Number(size)))
  } catch (error) {
    throw new MessageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Reads a message, a compressed one too. Throws `MessageError`. */
export function readMessage(bytes: Uint8Array, isInner = false): Message {
  const field = fieldsOf(bytes).at(-1)
  switch (field?.number) {
    case 2:
      if (isInner) throw new MessageError('compressed twice')
      return readMessage(unpack(field.bytes), true)
    case 11:
      return { type: 'ping', uptime: pick(fieldsOf(field.bytes)).short(1) }
    case 12:
      return { type: 'pong' }
    case 13:
      return { type: 'handshake', handshake: handshakeOf(field.bytes) }
    case 14:
      return { type: 'peerList', claims: pick(fieldsOf(field.bytes)).all(1).map(claimOf) }
    case 30:
      return { type: 'appRequest', request: requestOf(field.bytes) }
    case 35:
      return { type: 'getPeerList', known: filterOf(pick(fieldsOf(field.bytes)).bytes(1)) }
    default:
      return { type: 'other' }
  }
}

/** SignatureRequest of ACP-118. Throws `MessageError`. */
export function readSignatureRequest(bytes: Uint8Array): SignatureRequest {
  const from = pick(fieldsOf(bytes))
  return { message: from.bytes(1), justification: from.bytes(2) }
}

/** How it is justified that an L1 validator is none: see `L1ValidatorRegistrationJustification`. Throws `MessageError`. */
export function readJustification(
  bytes: Uint8Array,
):
  | { readonly subnetId: Uint8Array; readonly index: number }
  | { readonly registration: Uint8Array }
  | undefined {
  const field = fieldsOf(bytes).findLast(({ number }) => number === 1 || number === 2)
  if (field === undefined) return undefined
  if (field.number === 2) return { registration: field.bytes }
  const from = pick(fieldsOf(field.bytes))
  return { subnetId: from.bytes(1), index: from.short(2) }
}

type Write = (to: BinaryWriter) => void

function nested(number: number, write: Write): Write {
  return (to) => {
    to.tag(number, WireType.LengthDelimited).fork()
    write(to)
    to.join()
  }
}

/** Fields without their default values, as protobuf 3 writes them. */
function put(to: BinaryWriter, number: number, value: Uint8Array | number | bigint | string): void {
  if (typeof value === 'string') value = Buffer.from(value)
  if (typeof value === 'object') {
    if (value.length > 0) to.tag(number, WireType.LengthDelimited).bytes(value)
  } else if (BigInt(value) > 0n) to.tag(number, WireType.Varint).uint64(BigInt(value))
}

function bytesOf(write: Write): Uint8Array {
  const to = new BinaryWriter()
  write(to)
  return to.finish()
}

const BLOCK = 128 * 1024

/** A zstd frame that holds the bytes as they are, in raw blocks: RFC 8878, 3.1.1. */
function packed(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0])
  head.writeUInt32LE(bytes.length, 5)
  const parts: Uint8Array[] = [head]
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK)
    const isLast = at + BLOCK >= bytes.length
    const blockHead = Buffer.alloc(3)
    blockHead.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3)
    parts.push(blockHead, block)
  }
  return Buffer.concat(parts)
}

/** Puts a message into the field that says that it is compressed. */
function compressed(write: Write): Uint8Array {
  return bytesOf((to) => put(to, 2, packed(bytesOf(write))))
}

export function writePing(): Uint8Array {
  return bytesOf(nested(11, (to) => put(to, 1, 100)))
}

export function writePong(): Uint8Array {
  return bytesOf(nested(12, () => undefined))
}

export function writeHandshake(said: Handshake & { readonly acps: readonly number[] }): Uint8Array {
  return bytesOf(
    nested(13, (to) => {
      put(to, 1, said.networkId)
      put(to, 2, said.time)
      put(to, 3, said.ip)
      put(to, 4, said.port)
      put(to, 6, said.signingTime)
      put(to, 7, said.tlsSignature)
      for (const id of said.trackedSubnets) put(to, 8, id)
      const { name, major, minor, patch } = said.client
      nested(9, (inner) => {
        put(inner, 1, name)
        put(inner, 2, major)
        put(inner, 3, minor)
        put(inner, 4, patch)
      })(to)
      const acps = new BinaryWriter()
      for (const acp of said.acps) acps.uint32(acp)
      put(to, 10, acps.finish())
      const { known } = said
      if (known !== undefined) {
        nested(12, (inner) => {
          put(inner, 1, known.filter)
          put(inner, 2, known.salt)
        })(to)
      }
      put(to, 13, said.blsSignature)
    }),
  )
}

export function writePeerList(claims: readonly Claim[]): Uint8Array {
  return compressed(
    nested(14, (to) => {
      for (const claim of claims) {
        nested(1, (inner) => {
          put(inner, 1, claim.certificate)
          put(inner, 2, claim.ip)
          put(inner, 3, claim.port)
          put(inner, 4, claim.signingTime)
          put(inner, 5, claim.signature)
          put(inner, 6, claim.txId)
        })(to)
      }
    }),
  )
}

/** An answer that holds a signature: SignatureResponse of ACP-118. */
export function writeSignature(chainId: Uint8Array, requestId: number, signature: Uint8Array): Uint8Array {
  return compressed(
    nested(31, (to) => {
      put(to, 1, chainId)
      put(to, 2, requestId)
      put(
        to,
        3,
        bytesOf((inner) => put(inner, 1, signature)),
      )
    }),
  )
}

export function writeError(chainId: Uint8Array, requestId: number, code: number, text: string): Uint8Array {
  return bytesOf(
    nested(34, (to) => {
      // The chain and the request may be all zeros, the code may be below.
      put(to, 1, chainId)
      put(to, 2, requestId)
      to.tag(3, WireType.Varint).sint32(code)
      put(to, 4, text)
    }),
  )
}
