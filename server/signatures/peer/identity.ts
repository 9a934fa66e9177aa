import { createHash, createPrivateKey, randomBytes, X509Certificate, type KeyObject } from 'node:crypto'
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
type StoredIdentity = z.infer<typeof stored>

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
  const [{ p256 }, { selfSigned }] = await Promise.all([
    import('@noble/curves/nist.js'),
    import('../../../protocol/peer/certificate.ts'),
  ])
  const { cert, key } = selfSigned(p256.utils.randomSecretKey()).pem()
  // A leading zero byte keeps the number below the order of the group.
  const blsSecret = createHash('sha256').update(randomBytes(32)).digest()
  blsSecret[0] = 0
  return { certificate: cert, key, blsSecret: blsSecret.toString('hex') }
}
