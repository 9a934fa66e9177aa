/** Path segments of nodes, such as ids and aliases, which are not secrets. */
const ownPath = /\/ext(\/bc\/[^/]+(\/(rpc|ws|admin|avax|validators))?|\/index\/\w+\/\w+|\/\w+)$/

/** The parts of a URL that may be keys: credentials, query values, long path segments. */
export function secretsOf(url: string): string[] {
  const { username, password, searchParams, pathname } = new URL(url)
  const parts = [username, password, ...searchParams.values(), ...pathname.replace(ownPath, '').split('/')]
  return [...new Set(parts.flatMap((part) => [part, decoded(part)]))].filter((part) => part.length >= 8)
}

/** The bytes with every secret masked. */
export function redact(bytes: Buffer, secrets: readonly string[]): Buffer {
  const found = secrets.filter((secret) => bytes.includes(secret))
  if (found.length === 0) return bytes
  let text = bytes.toString('utf8')
  for (const secret of found) text = text.replaceAll(secret, '…')
  return Buffer.from(text)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign that begins no escape is literal.
    return part
  }
}
