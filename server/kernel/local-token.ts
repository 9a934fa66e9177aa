import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { localTokenPattern } from '../../contract/base/local-token.ts'

/** The secret that identifies the service's operator: only those who can read it on the machine have it. */
export type LocalToken = {
  /**
   * How the operator finds the token. Other callers may see this text, so it contains no path of the machine.
   */
  readonly place: string
  /** Whether this is the token, in constant time. */
  matches(given: string | undefined): boolean
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A token whose value is given. */
export function holdToken(token: string, place: string): LocalToken {
  const hash = sha256(token)
  return { place, matches: (given) => given !== undefined && timingSafeEqual(sha256(given), hash) }
}

/** The name of the file below the home folder. */
const fileName = 'token'

/**
 * Returns the configured token, otherwise the one in the file `token` below the home folder. The file is
 * created if it is missing, and replaced if it contains no token or others than its owner could read it.
 * Throws if it can neither be read nor created.
 */
export function openLocalToken({
  home,
  localToken,
}: {
  readonly home: string
  readonly localToken?: string
}): LocalToken {
  if (localToken !== undefined) return holdToken(localToken, 'RIDGELINE_TOKEN is set to it')
  const path = join(home, fileName)
  return holdToken(
    readToken(path) ?? makeToken(path),
    `the file "${fileName}" in the service's home folder (RIDGELINE_HOME) holds it`,
  )
}

/** A service without a token, in which nobody can act as the operator. */
export const noToken = (reason: string): LocalToken => ({
  place: `it has none: ${reason}; set RIDGELINE_TOKEN`,
  matches: () => false,
})

function readToken(path: string): string | undefined {
  let file
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const token = readFileSync(file, 'utf8').trim()
    // Windows has no such modes; there the permissions of the folder apply.
    const isPrivate = process.platform === 'win32' || (fstatSync(file).mode & 0o077) === 0
    if (isPrivate && localTokenPattern.test(token)) return token
  } finally {
    closeSync(file)
  }
  rmSync(path)
  return undefined
}

/** Creates the file atomically: if several processes start at once, the first one's token is used. */
function makeToken(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  const own = `${path}.${process.pid}`
  rmSync(own, { force: true })
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(own, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own)
  }
  const token = readToken(path)
  if (token === undefined) throw new Error(`${fileName}: the file does not keep what is written to it`)
  return token
}
