/** The longest token URI that is processed, in characters; a `data:` URI may contain a whole document. */
export const longestLink = 8_192

/**
 * A token's URI to fetch: every `{id}` is replaced with the token id as 64 lower-case hex digits without a
 * prefix (ERC-1155, Metadata). ERC-721 has no such rule, so its URI is unchanged.
 */
export function expandTokenUri(uri: string, kind: number, tokenId: bigint): string {
  return kind === 1155 ? uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0')) : uri
}

type DataUri = { readonly type: string; readonly body: Buffer }

/**
 * The content of a `data:` URI; undefined for other URIs. Percent signs without a valid escape and characters
 * that should be escaped are taken literally, because contracts write plain JSON into URIs.
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

/** Whether a `data:` URI certainly exceeds `maxBytes`; cheaper than decoding it. */
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
