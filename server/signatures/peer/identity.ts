import 'reflect-metadata'
import {
  createHash,
  createPrivateKey,
  randomBytes,
  webcrypto,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { nodeIdOfCertificate } from './address.ts'

/** The identity of this service among peers. */
export type Identity = {
  /** PEM */
  readonly certificate: string
  /** The certificate in DER. */
  readonly der: Uint8Array
  /** PEM */
  readonly key: string
  readonly privateKey: KeyObject
  readonly nodeId: string
  /** The 32-byte BLS secret key that handshakes are signed with. It belongs to no validator. */
  readonly blsSecret: Uint8Array
}

const stored = z.strictObject({
  certificate: z.string().startsWith('-----BEGIN CERTIFICATE-----'),
  key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  blsSecret: z.string().regex(/^[0-9a-f]{64}$/),
})
/** The content of an identity file. */
export type StoredIdentity = z.infer<typeof stored>

/** The path of the file below the service's home. */
export const identityFile = 'peer-identity.json'

/**
 * Reads the identity from `home`, or creates it at the first start: a self-signed P-256 certificate and a BLS key, in a
 * file that only its owner can read. Rejects if the file can't be read or written, or is malformed.
 */
export async function loadIdentity(home: string): Promise<Identity> {
  const path = join(home, identityFile)
  return loadedIdentity((await readStored(path)) ?? (await create(home, path)))
}

/** Parses an identity file. Throws if the certificate or a key is malformed. */
export function loadedIdentity({ certificate, key, blsSecret }: StoredIdentity): Identity {
  const der = new X509Certificate(certificate).raw
  return {
    certificate,
    der,
    key,
    privateKey: createPrivateKey(key),
    nodeId: nodeIdOfCertificate(der),
    blsSecret: Buffer.from(blsSecret, 'hex'),
  }
}

async function readStored(path: string): Promise<StoredIdentity | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const parsed = stored.safeParse(value)
  // The file holds keys, so errors do not quote its content.
  if (!parsed.success) throw new Error(`${identityFile} holds no identity; remove it to have a new one made`)
  return parsed.data
}

async function create(home: string, path: string): Promise<StoredIdentity> {
  const made = await makeIdentity()
  await mkdir(home, { recursive: true })
  // Written under a temporary name and renamed: two processes that start together end with one identity.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, JSON.stringify(made), { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, path)
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const other = await readStored(path)
    if (!other) throw error
    return other
  } finally {
    await rm(draft, { force: true })
  }
}

/** A new certificate and keys. */
export async function makeIdentity(): Promise<StoredIdentity> {
  // Loaded lazily: only the first start needs it.
  const { X509CertificateGenerator, cryptoProvider } = await import('@peculiar/x509')
  const crypto = webcrypto as ReturnType<typeof cryptoProvider.get>
  cryptoProvider.set(crypto)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(8).toString('hex'),
    name: 'CN=peer',
    // As in nodes' own certificates: peers ignore the dates, and an identity does not expire.
    notBefore: new Date('2000-01-01T00:00:00Z'),
    notAfter: new Date('2124-01-01T00:00:00Z'),
    signingAlgorithm: algorithm,
    keys,
  })
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  // A leading zero byte keeps the number below the order of the group.
  const blsSecret = createHash('sha256').update(randomBytes(32)).digest()
  blsSecret[0] = 0
  return {
    certificate: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${key.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()}\n-----END PRIVATE KEY-----\n`,
    blsSecret: blsSecret.toString('hex'),
  }
}
