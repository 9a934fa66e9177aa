import { p256 } from '@noble/curves/nist.js'
import { createECDH, createHash, createPrivateKey } from 'node:crypto'
import type { Hex } from './ledger.ts'
import { sha256 } from './text.ts'

/** A node's TLS key with its self-signed certificate, from which the node id is derived. */
export type Certificate = {
  readonly der: Uint8Array
  /** ripemd160(sha256(certificate)), 20 bytes. */
  readonly nodeId: Hex
  /** A DER signature (ECDSA, P-256) of the SHA-256 of `message`. */
  sign(message: Uint8Array): Uint8Array
  /** Key and certificate as PEM, for a TLS listener. */
  pem(): { readonly key: string; readonly cert: string }
}

function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts)
  const { length } = body
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(0x30, ...parts)
const identifier = (hex: string): Uint8Array => der(0x06, Buffer.from(hex, 'hex'))
const bits = (bytes: Uint8Array): Uint8Array => der(0x03, Buffer.from([0]), bytes)

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const keyOnP256 = sequence(identifier('2a8648ce3d0201'), identifier('2a8648ce3d030107'))
const nobody = sequence()
/** The validity that nodes write: from the year 2000 to 2100. */
const validity = sequence(der(0x17, Buffer.from('000101000000Z')), der(0x18, Buffer.from('21000101000000Z')))

/** The uncompressed public key, 65 bytes. */
function publicKeyOf(secret: Uint8Array): Buffer {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  return pair.getPublicKey()
}

function pemOf(secret: Uint8Array, certificate: Uint8Array): { key: string; cert: string } {
  const point = publicKeyOf(secret)
  const part = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: part(secret),
    x: part(point.subarray(1, 33)),
    y: part(point.subarray(33)),
  }
  const lines = Buffer.from(certificate)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')
  return {
    key: String(createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** The certificate derived from a name. */
export function certificateOf(name: string): Certificate {
  const secret = new Uint8Array(sha256(`ridgeline sample certificate/${name}`))
  const signDer = (message: Uint8Array): Uint8Array => p256.sign(message, secret, { format: 'der' })
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([0])),
    ecdsaWithSha256,
    nobody,
    validity,
    nobody,
    sequence(keyOnP256, bits(publicKeyOf(secret))),
  )
  const whole = new Uint8Array(sequence(body, ecdsaWithSha256, bits(signDer(body))))
  return {
    der: whole,
    nodeId: createHash('ripemd160').update(sha256(whole)).digest('hex'),
    sign: signDer,
    pem: () => pemOf(secret, whole),
  }
}
