import { localTokenFragment, localTokenHeader, localTokenPattern } from '../../contract/base/local-token.ts'
import type { Profile } from '../../contract/profile.ts'
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

/**
 * Keeps the token of the operator's link in this browser and removes it from the URL, so that it is not copied or stored
 * with it. Returns whether the URL had one. Before the router reads a URL, so that no page ever has it in its own.
 */
export function takeTokenLink(): boolean {
  const token = tokenOfFragment(location.hash)
  if (token === undefined) return false
  localToken.set(token)
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  return true
}

/**
 * The header with the local token if this browser has it. The token is the service's own, so it is never sent to another
 * deployment.
 */
export function tokenHeader({ dataUrl }: Pick<Profile, 'dataUrl'>): Record<string, string> {
  if (dataUrl !== '') return {}
  const token = localToken.get()
  return token === '' ? {} : { [localTokenHeader]: token }
}
