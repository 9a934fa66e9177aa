import { safeText } from '../../lib/text.ts'

const followed = new Set(['https:', 'ipfs:'])

function isFollowed(uri: string): boolean {
  try {
    return followed.has(new URL(uri).protocol)
  } catch {
    return false
  }
}

/**
 * An untrusted link as text; only https and ipfs links can be followed, without a referrer. Long links, for example
 * whole documents in `data:`, are cut after 300 characters.
 */
export function ForeignLink({ uri }: { uri: string }) {
  const text = safeText(uri, 300)
  const face = 'font-mono text-mono break-all'
  return isFollowed(uri) ? (
    <a href={uri} rel="noopener noreferrer nofollow external" className={`link ${face}`}>
      {text}
    </a>
  ) : (
    <span className={face}>{text}</span>
  )
}
