/** What bytes contain: nothing, readable text, or anything else. */
type Readable = { kind: 'empty' } | { kind: 'text'; text: string } | { kind: 'bytes'; hex: string }

const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/u
const lineBreak = /\r\n|[\n\r\t]/g

const hexOf = (bytes: Uint8Array): string =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

function bytesOf(value: string): Uint8Array {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(value)) return new TextEncoder().encode(value)
  const bytes = new Uint8Array((value.length - 2) / 2)
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = Number.parseInt(value.slice(2 + index * 2, 4 + index * 2), 16)
  return bytes
}

/**
 * Reads a memo or a payload, which is hex in our service and may be plain text in others. It is untrusted: only printable
 * UTF-8, without direction marks and control characters other than line breaks and tabs, is shown as text;
 * everything else as bytes.
 */
export function readBytes(value: string | undefined): Readable {
  const bytes = bytesOf(value ?? '')
  if (bytes.length === 0) return { kind: 'empty' }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { kind: 'bytes', hex: hexOf(bytes) }
  }
  return unprintable.test(text.replace(lineBreak, ' '))
    ? { kind: 'bytes', hex: hexOf(bytes) }
    : { kind: 'text', text }
}
