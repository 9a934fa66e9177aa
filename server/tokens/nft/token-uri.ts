/** The largest token URI that is looked at, in characters; a `data:` URI may hold a whole document. */
export const longestLink = 8_192

/**
 * A token's URI as it is asked for: every `{id}` is the token id in 64 lower-case hex digits without a
 * prefix (ERC-1155, Metadata). ERC-721 has no such rule, so there the URI stays as it is.
 */
export function expandTokenUri(uri: string, kind: number, tokenId: bigint): string {
  return kind === 1155 ? uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0')) : uri
}

export type DataUri = { readonly type: string; readonly body: Buffer }

/**
 * The content of a `data:` URI; undefined when it is none. Percent signs that start no escape, and
 * characters that should have been escaped, are taken as they are: contracts write JSON into URIs plainly.
 */
export function readDataUri(uri: string): DataUri | undefined {
  const comma = uri.indexOf(',')
  if (!/^data:/i.test(uri) || comma === -1 || comma > 512) return undefined
  const [type = '', ...parameters] = uri
    .slice('data:'.length, comma)
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const body = unescapeBytes(uri.slice(comma + 1))
  return {
    type,
    body: parameters.includes('base64') ? Buffer.from(body.toString('latin1'), 'base64') : body,
  }
}

/** Whether a `data:` URI can't hold more than so many bytes; cheaper than reading it. */
export function dataUriMayPass(uri: string, maxBytes: number): boolean {
  return /^data:/i.test(uri) && uri.length * 0.75 - 512 > maxBytes
}

function unescapeBytes(text: string): Buffer {
  if (!text.includes('%')) return Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  let plain = 0
  for (const { index, 0: escapes } of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) {
    parts.push(Buffer.from(text.slice(plain, index), 'utf8'), Buffer.from(escapes.replaceAll('%', ''), 'hex'))
    plain = index + escapes.length
  }
  parts.push(Buffer.from(text.slice(plain), 'utf8'))
  return Buffer.concat(parts)
}
