import { localTokenFragment, localTokenPattern } from '../../contract/base/local-token.ts'
import { createStoredStore } from '../lib/storage/store.ts'

/**
 * The local token of the service that serves this page; empty without one. It is stored in this browser and sent to
 * this service only (docs/gateway.md, The local token).
 */
export const localToken = createStoredStore<string>('ridgeline.localToken', (stored) =>
  typeof stored === 'string' && localTokenPattern.test(stored) ? stored : '',
)

/** The token in pasted text: the token itself, or a link with it. Undefined for anything else. */
export function readToken(text: string): string | undefined {
  const token = text.trim().split(localTokenFragment).at(-1) ?? ''
  return localTokenPattern.test(token) ? token : undefined
}

/** The token in the fragment of a URL. */
export const tokenOfFragment = (hash: string): string | undefined =>
  hash.startsWith(localTokenFragment) ? readToken(hash) : undefined
