import { p256 } from '@noble/curves/nist.js'
import { createECDH, createPrivateKey } from 'node:crypto'

/** A private key and its certificate as PEM, for TLS. */
type Pem = { readonly key: string; readonly cert: string }

/** The TLS key of a peer with its self-signed certificate, from which the node id is derived. */
export type SelfSigned = {
  readonly der: Uint8Array
  /** A DER signature (ECDSA, P-256) of the SHA-256 of `message`. */
  sign(message: Uint8Array): Uint8Array
  pem(): Pem
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

function pemOf(secret: Uint8Array, certificate: Uint8Array): Pem {
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

/**
 * The certificate of a secret key of P-256 (32 bytes). It follows from the key alone, signature included: a network
 * that is derived from a seed has the same node ids each time. Libraries sign with a random nonce, so the few
 * structures are written here. Peers ignore dates and names.
 */
export function selfSigned(secret: Uint8Array): SelfSigned {
  const sign = (message: Uint8Array): Uint8Array => p256.sign(message, secret, { format: 'der' })
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([0])),
    ecdsaWithSha256,
    nobody,
    validity,
    nobody,
    sequence(keyOnP256, bits(publicKeyOf(secret))),
  )
  const whole = new Uint8Array(sequence(body, ecdsaWithSha256, bits(sign(body))))
  return { der: whole, sign, pem: () => pemOf(secret, whole) }
}
