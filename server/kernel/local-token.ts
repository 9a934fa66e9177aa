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
import type { Config } from './config.ts'

/** The secret of a service that its operator knows: whoever has it may read it on the machine. */
export type LocalToken = {
  /** Where the operator finds it. Other callers may read this: it names no folder of the machine. */
  readonly place: string
  /** Whether this is the token, in constant time. */
  matches(given: string | undefined): boolean
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A token that is known already. */
export function holdToken(token: string, place: string): LocalToken {
  const hash = sha256(token)
  return { place, matches: (given) => given !== undefined && timingSafeEqual(sha256(given), hash) }
}

/** The name of the file below the home folder. */
const fileName = 'token'

/**
 * Takes the token from the setting, else from the file `token` below the home folder, which is made where it is
 * missing and made anew where it holds no token or others than its owner could read it. Throws where the file can
 * neither be read nor made.
 */
export function openLocalToken({ home, localToken }: Pick<Config, 'home' | 'localToken'>): LocalToken {
  if (localToken !== undefined) return holdToken(localToken, 'RIDGELINE_TOKEN is set to it')
  const path = join(home, fileName)
  return holdToken(
    readToken(path) ?? makeToken(path),
    `the file "${fileName}" in the service's home folder (RIDGELINE_HOME) holds it`,
  )
}

/** A service without a token: nobody acts for its operator by one. */
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
    // Windows has no such modes: there the rights of the folder decide.
    const isPrivate = process.platform === 'win32' || (fstatSync(file).mode & 0o077) === 0
    if (isPrivate && localTokenPattern.test(token)) return token
  } finally {
    closeSync(file)
  }
  rmSync(path)
  return undefined
}

/** Makes the file as a whole: of several processes that start at once, the first one's token holds. */
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
