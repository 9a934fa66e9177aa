import { SecretKey } from '@chainsafe/blst'
import { randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { claimBytes, nodeIdOfCertificate } from '../peer/address.ts'
import { encodeFrame, FrameReader } from '../../../protocol/peer/frame.ts'
import { loadedIdentity, makeIdentity, type Identity } from '../peer/identity.ts'
import {
  decodeMessage,
  decodeSignatureRequest,
  encodeCompressed,
  encodeMessage,
  encodeSignatureResponse,
  signatureHandler,
  type ClaimedAddress,
} from '../../../protocol/peer/messages.ts'
import type { AppRequest, Handshake } from '../../../protocol/peer/messages_pb.ts'
import type { ClientVersion } from '../peer/handshake.ts'

/** What a validator does with a request for a signature. */
type Behaviour =
  | { readonly kind: 'sign'; readonly afterMs?: number; readonly compressed?: boolean }
  | { readonly kind: 'refuse'; readonly code: number; readonly text: string }
  /** Never answers. */
  | { readonly kind: 'silent' }
  /** Signs something else. */
  | { readonly kind: 'wrong' }
  /** Answers with a signature of so many bytes. */
  | { readonly kind: 'bytes'; readonly signature: Uint8Array }
  /** Ends the connection. */
  | { readonly kind: 'hangUp' }
  /** Says that it was asked too often, then signs. */
  | { readonly kind: 'throttleOnce' }

/** What a validator does as soon as somebody connects, instead of shaking hands. */
type Greeting = 'handshake' | 'nothing' | 'garbage' | 'hugeFrame' | 'hangUp'

export type ValidatorOptions = {
  readonly networkId?: number
  readonly behaviour?: Behaviour
  readonly greeting?: Greeting
  /** Seconds that its clock is ahead. */
  readonly clockAhead?: number
  readonly version?: ClientVersion
  /** What it tells others of; claims of validators. */
  readonly claims?: () => readonly ClaimedAddress[]
  readonly port?: number
  readonly identity?: Identity
}

/** A validator on loopback that speaks the peer protocol, and can be made to misbehave. */
export type TestValidator = {
  readonly nodeId: string
  readonly secret: SecretKey
  /** 48 bytes. */
  readonly publicKey: Uint8Array
  readonly port: number
  /** What may be changed while it runs. */
  behaviour: Behaviour
  greeting: Greeting
  /** Handshakes that it got. */
  readonly handshakes: readonly Handshake[]
  /** Requests that it got, those included that a node drops in silence. */
  readonly requests: readonly AppRequest[]
  /** Answers of the other side to its pings. */
  readonly pongs: () => number
  readonly connections: () => number
  /** Where it says that it is. */
  claim(): ClaimedAddress
  ping(): void
  /** Signs a message in advance: a process that plays many validators would sign for all of them in one thread. */
  prepare(message: Uint8Array): void
  /** Ends every connection and listens no more. */
  stop(): Promise<void>
  /** Listens again, at the same port unless another one is given. */
  start(port?: number): Promise<void>
}

const loopback = Uint8Array.of(127, 0, 0, 1)
const now = (): number => Math.floor(Date.now() / 1_000)

/** Starts a validator. Its keys are new unless an identity is given. */
export async function startValidator(options: ValidatorOptions = {}): Promise<TestValidator> {
  const identity = options.identity ?? loadedIdentity(await makeIdentity())
  const secret = SecretKey.fromKeygen(randomBytes(32))
  const nodeId = identity.nodeId
  const handshakes: Handshake[] = []
  const requests: AppRequest[] = []
  const sockets = new Set<TLSSocket>()
  const prepared = new Map<string, Uint8Array>()
  let pongs = 0
  let server: Server | undefined
  let port = options.port ?? 0

  /** As a node: signed once for each address. */
  function signAddress() {
    const timestamp = now()
    const bytes = claimBytes(loopback, port, BigInt(timestamp))
    const tlsSignature = sign('sha256', bytes, identity.privateKey)
    return { address: loopback, port, timestamp, tlsSignature, blsSignature: secret.sign(bytes).toBytes() }
  }
  let signed = signAddress()

  function greet(socket: TLSSocket): void {
    switch (validator.greeting) {
      case 'nothing':
        return
      case 'garbage':
        socket.write(encodeFrame(randomBytes(64)))
        return
      case 'hugeFrame':
        socket.write(Buffer.from('ffffffff00', 'hex'))
        return
      case 'hangUp':
        socket.destroy()
        return
      case 'handshake': {
        const { address, port: at, timestamp, tlsSignature, blsSignature } = signed
        const handshake = {
          networkId: options.networkId ?? 1_337,
          time: BigInt(now() + (options.clockAhead ?? 0)),
          address,
          port: at,
          signingTime: BigInt(timestamp),
          tlsSignature,
          blsSignature,
          client: options.version ?? { name: 'avalanchego', major: 1, minor: 14, patch: 0 },
        }
        socket.write(encodeFrame(encodeMessage({ case: 'handshake', value: handshake })))
      }
    }
  }

  function serve(socket: TLSSocket): void {
    const frames = new FrameReader()
    let state: 'new' | 'greeted' | 'ready' = 'new'
    const send = (message: Uint8Array): void => void socket.write(encodeFrame(message))
    const tellPeers = (): void => {
      const claims = [...(options.claims?.() ?? [])]
      send(encodeCompressed(encodeMessage({ case: 'peerList', value: { claims } })))
    }
    socket.on('data', (chunk: Buffer) => {
      frames.push(chunk)
      for (let frame = frames.next(); frame; frame = frames.next()) {
        const message = decodeMessage(frame)
        if (message.case === 'handshake' && state === 'new') {
          handshakes.push(message.value)
          state = 'greeted'
          tellPeers()
        } else if (message.case === 'peerList' && state === 'greeted') state = 'ready'
        else if (message.case === 'getPeerList' && state === 'ready') tellPeers()
        else if (message.case === 'pong') pongs += 1
        else if (message.case === 'appRequest') {
          requests.push(message.value)
          // As a node: dropped before the handshake is over, without a deadline, or with an even id.
          if (state === 'ready' && message.value.deadline > 0n && message.value.requestId % 2 === 1)
            answer(message.value, send, socket)
        }
      }
    })
    greet(socket)
  }

  function answer(request: AppRequest, send: (message: Uint8Array) => void, socket: TLSSocket): void {
    const { behaviour } = validator
    const { chainId, requestId } = request
    if (request.bytes[0] !== signatureHandler) return
    const asked = decodeSignatureRequest(request.bytes.subarray(1))
    const refuse = (code: number, text: string): void =>
      send(encodeMessage({ case: 'appError', value: { chainId, requestId, code, text } }))
    const respond = (signature: Uint8Array, compressed = false): void => {
      const bytes = encodeSignatureResponse(signature)
      const message = encodeMessage({ case: 'appResponse', value: { chainId, requestId, bytes } })
      send(compressed ? encodeCompressed(message) : message)
    }
    switch (behaviour.kind) {
      case 'sign': {
        const work = (): void => {
          const known = prepared.get(Buffer.from(asked.message).toString('hex'))
          respond(known ?? secret.sign(asked.message).toBytes(), behaviour.compressed)
        }
        if (behaviour.afterMs === undefined) work()
        else setTimeout(work, behaviour.afterMs)
        return
      }
      case 'refuse':
        refuse(behaviour.code, behaviour.text)
        return
      case 'wrong':
        respond(secret.sign(Buffer.from('something else')).toBytes())
        return
      case 'bytes':
        respond(behaviour.signature)
        return
      case 'hangUp':
        socket.destroy()
        return
      case 'throttleOnce':
        validator.behaviour = { kind: 'sign' }
        refuse(-4, 'throttled')
        return
      case 'silent':
    }
  }

  const validator: TestValidator = {
    nodeId,
    secret,
    publicKey: secret.toPublicKey().toBytes(),
    get port() {
      return port
    },
    behaviour: options.behaviour ?? { kind: 'sign' },
    greeting: options.greeting ?? 'handshake',
    handshakes,
    requests,
    pongs: () => pongs,
    connections: () => sockets.size,
    claim() {
      const { address, port: at, timestamp, tlsSignature } = signed
      return {
        certificate: identity.der,
        address,
        port: at,
        timestamp: BigInt(timestamp),
        signature: tlsSignature,
      }
    },
    ping() {
      for (const socket of sockets)
        socket.write(encodeFrame(encodeMessage({ case: 'ping', value: { uptime: 100 } })))
    },
    prepare: (message) =>
      void prepared.set(Buffer.from(message).toString('hex'), secret.sign(message).toBytes()),
    async stop() {
      const ended = server
      server = undefined
      for (const socket of sockets) socket.destroy()
      if (!ended) return
      ended.close()
      await once(ended, 'close')
    },
    async start(at = port) {
      server = createServer(
        {
          cert: identity.certificate,
          key: identity.key,
          requestCert: true,
          rejectUnauthorized: false,
          minVersion: 'TLSv1.3',
        },
        (socket) => {
          const der = socket.getPeerX509Certificate()?.raw
          if (!der) return void socket.destroy()
          // As a node: one connection of each certificate.
          const caller = nodeIdOfCertificate(der)
          if (callers.has(caller)) return void socket.destroy()
          callers.add(caller)
          sockets.add(socket)
          socket.on('close', () => {
            sockets.delete(socket)
            callers.delete(caller)
          })
          socket.on('error', () => socket.destroy())
          serve(socket)
        },
      )
      server.on('tlsClientError', () => undefined)
      server.listen(at, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port
      signed = signAddress()
    },
  }
  const callers = new Set<string>()
  await validator.start()
  return validator
}
