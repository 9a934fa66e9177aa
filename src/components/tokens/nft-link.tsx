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
 * A link of a stranger as text; it can be followed only when it is https or ipfs, and then says nothing of
 * where it was followed from. A long one, such as a whole document in a `data:` link, ends after 300 letters.
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
