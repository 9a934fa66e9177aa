import { p256 } from '@noble/curves/nist.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { decompress } from 'fzstd'
import { certificateOf } from '../primary/certificates.ts'

/** A protobuf varint. This client shares no code with the peers it talks to. */
function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return Buffer.from(bytes)
}

export function number(field: number, value: bigint | number): Buffer {
  return Buffer.concat([varint(BigInt(field << 3)), varint(BigInt(value))])
}

export function bytes(field: number, value: Uint8Array | string): Buffer {
  const body = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(body.length)), body])
}

type Fields = readonly (readonly [number, bigint | Buffer])[]

/** The fields of a protobuf message in order. */
export function fields(of: Buffer): Fields {
  const found: [number, bigint | Buffer][] = []
  let at = 0
  const take = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = of.readUInt8(at)
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < of.length) {
    const tag = Number(take())
    if ((tag & 7) === 0) found.push([tag >> 3, take()])
    else {
      const size = Number(take())
      found.push([tag >> 3, of.subarray(at, at + size)])
      at += size
    }
  }
  return found
}

export function only(of: Fields, field: number): Buffer {
  const found = of.find(([at]) => at === field)?.[1]
  return typeof found === 'object' ? found : Buffer.alloc(0)
}

export function count(of: Fields, field: number): bigint {
  const found = of.find(([at]) => at === field)?.[1]
  return typeof found === 'bigint' ? found : 0n
}

/** A received message: its field number and its contents. */
type Heard = {
  readonly kind: number
  readonly fields: Fields
  readonly wasCompressed: boolean
}

function heard(message: Buffer, wasCompressed = false): Heard {
  const [first] = fields(message)
  if (first === undefined || typeof first[1] === 'bigint') throw new Error('an empty message')
  const [kind, body] = first
  if (kind === 2) return heard(Buffer.from(decompress(body)), true)
  return { kind, fields: fields(body), wasCompressed }
}

/** Deviations from a correct handshake. */
type Lies = {
  readonly networkId?: number
  /** Seconds that the clock is off. */
  readonly skew?: number
  readonly port?: number
  readonly subnets?: number
  readonly tlsSignature?: Uint8Array
  readonly blsSignature?: Uint8Array
  readonly minor?: number
  readonly filter?: Uint8Array
}

const loopback = Buffer.from([127, 0, 0, 1])

/** A handshake like that of a node of release 1.15. */
export function handshake(sign: (message: Uint8Array) => Uint8Array, lies: Lies = {}): Buffer {
  const now = Math.floor(Date.now() / 1000)
  const port = lies.port ?? 9_651
  const signed = Buffer.alloc(26)
  signed.set([0xff, 0xff, ...loopback], 10)
  signed.writeUInt16BE(port, 16)
  signed.writeBigUInt64BE(BigInt(now), 18)
  const point = bls12_381.G2.Point.BASE.toBytes(true)
  return bytes(
    13,
    Buffer.concat([
      number(1, lies.networkId ?? 5),
      number(2, now + (lies.skew ?? 0)),
      bytes(3, loopback),
      number(4, port),
      number(6, now),
      bytes(7, lies.tlsSignature ?? sign(signed)),
      ...Array.from({ length: lies.subnets ?? 0 }, () => bytes(8, randomBytes(32))),
      bytes(
        9,
        Buffer.concat([bytes(1, 'avalanchego'), number(2, 1), number(3, lies.minor ?? 15), number(4, 0)]),
      ),
      bytes(12, Buffer.concat([bytes(1, lies.filter ?? Buffer.from('01000000000000000000', 'hex'))])),
      bytes(13, lies.blsSignature ?? point),
    ]),
  )
}

/** A connection to a peer. */
export type Client = {
  /** sha256 then ripemd160 of the peer's certificate, hex. */
  readonly nodeId: string
  readonly certificate: Buffer
  readonly socket: TLSSocket
  send(message: Uint8Array): void
  /** The next unread message, of a kind if one is given; undefined when the peer closes first. */
  next(kind?: number): Promise<Heard | undefined>
  readonly closed: Promise<unknown>
  close(): void
}

/** Connects with a new certificate. */
export async function dial(address: string, name = String(randomInt(2 ** 40))): Promise<Client> {
  const [host = '', port = ''] = address.split(':')
  const own = certificateOf(`test client/${name}`)
  const socket = connect({ host, port: Number(port), ...own.pem(), rejectUnauthorized: false })
  const waiting: { kind: number | undefined; resolve(found: Heard | undefined): void }[] = []
  const held: Heard[] = []
  let buffer = Buffer.alloc(0)
  const closed = new Promise((resolve) => socket.on('close', resolve))
  void closed.then(() => {
    for (const { resolve } of waiting.splice(0)) resolve(undefined)
  })
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    while (buffer.length >= 4 && buffer.length >= 4 + buffer.readUInt32BE()) {
      const end = 4 + buffer.readUInt32BE()
      const found = heard(buffer.subarray(4, end))
      buffer = buffer.subarray(end)
      const place = waiting.findIndex(({ kind }) => kind === undefined || kind === found.kind)
      const [waiter] = place < 0 ? [] : waiting.splice(place, 1)
      if (waiter === undefined) held.push(found)
      else waiter.resolve(found)
    }
  })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate().raw
  const sha = createHash('sha256').update(certificate).digest()
  return {
    nodeId: createHash('ripemd160').update(sha).digest('hex'),
    certificate,
    socket,
    send(message) {
      const head = Buffer.alloc(4)
      head.writeUInt32BE(message.length)
      socket.write(Buffer.concat([head, message]))
    },
    next(kind) {
      const place = held.findIndex((found) => kind === undefined || kind === found.kind)
      if (place >= 0) return Promise.resolve(held.splice(place, 1)[0])
      if (socket.destroyed) return Promise.resolve(undefined)
      return new Promise((resolve) => waiting.push({ kind, resolve }))
    },
    closed,
    close: () => socket.destroy(),
  }
}

/** Signs a client's address with the key of its certificate. */
export function signerOf(name: string): (message: Uint8Array) => Uint8Array {
  return certificateOf(`test client/${name}`).sign
}

/** A connection after the handshake, on which requests are answered. */
export async function connected(address: string): Promise<Client> {
  const name = String(randomInt(2 ** 40))
  const client = await dial(address, name)
  client.send(handshake(signerOf(name)))
  if ((await client.next(14)) === undefined) throw new Error('the peer closed the connection')
  client.send(bytes(14, ''))
  return client
}

let lastId = -1

/** An AppRequest for a signature. */
export function request(
  chainId: Uint8Array,
  message: Uint8Array,
  justification: Uint8Array = Buffer.alloc(0),
  more: { readonly id?: number; readonly deadline?: bigint; readonly handler?: number } = {},
): Buffer {
  lastId += 2
  const { id = lastId, deadline = 10_000_000_000n, handler = 2 } = more
  const asked = Buffer.concat([bytes(1, message), bytes(2, justification)])
  return bytes(
    30,
    Buffer.concat([
      bytes(1, chainId),
      number(2, id),
      number(3, deadline),
      bytes(4, Buffer.concat([Buffer.from([handler]), asked])),
    ]),
  )
}

/** An answer: a signature, or code and text. */
export type Answer = {
  readonly requestId: number
  readonly signature?: Buffer
  readonly code?: number
  readonly text?: string
}

/** The next answer to a request; undefined when the peer closes. */
export async function answerTo(client: Client): Promise<Answer | undefined> {
  const found = await client.next()
  if (found === undefined) return undefined
  const requestId = Number(count(found.fields, 2))
  if (found.kind === 31) return { requestId, signature: only(fields(only(found.fields, 3)), 1) }
  if (found.kind !== 34) return answerTo(client)
  const zigzag = count(found.fields, 3)
  const code = Number((zigzag >> 1n) ^ -(zigzag & 1n))
  return { requestId, code, text: only(found.fields, 4).toString() }
}

/** Whether a DER signature (P-256) over the SHA-256 of the bytes is valid for a public key. */
export function isSigned(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  return p256.verify(signature, message, publicKey, { format: 'der', lowS: false })
}

const bls = bls12_381.longSignatures

/** Whether a BLS signature is valid for a key (48 bytes, hex), with the domain tag of warp messages or of proofs. */
export function isBlsSigned(
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: string,
  tag: 'SIG' | 'POP' = 'SIG',
): boolean {
  const point = bls12_381.G1.Point.fromHex(publicKey.replace(/^0x/, ''))
  const hash = bls.hash(message, `BLS_${tag}_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_`)
  return bls.verify(bls12_381.G2.Point.fromBytes(signature), hash, point)
}
