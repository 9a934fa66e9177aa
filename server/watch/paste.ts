import { asPlainLine } from '../../contract/base/plain-text.ts'
import { idOfText, nodeIdOfText, TextFormError } from '../../protocol/ids/text.ts'

/** A member as a caller gives it. */
type Given = { readonly bytes: Buffer; readonly label: string }

/** A line from which no member is read, with its number from 1. */
type NotUnderstood = { readonly line: number; readonly text: string; readonly reason: string }

export type Paste = { readonly members: readonly Given[]; readonly notUnderstood: readonly NotUnderstood[] }

/** Characters of a line that an answer repeats. */
const longestText = 100

/** What looks like an id: of a node, whatever its letters, or of a validation, by its length. */
const idText = /(?<![0-9A-Za-z])(?:node-?id[-_:]?[0-9A-Za-z]+|[0-9A-Za-z]{43,52})(?![0-9A-Za-z])/gi
/** A line without content, or the heading of a table. */
const nothing = /^[\s,;:|=>*#"'`-]*$/

/** The bytes of what looks like an id, or why it is none. */
function bytesOf(text: string): Buffer | string {
  if (/^node-?id/i.test(text) && !text.startsWith('NodeID-')) return 'a node ID begins with NodeID-'
  try {
    return Buffer.from(text.startsWith('NodeID-') ? nodeIdOfText(text) : idOfText(text))
  } catch (error) {
    if (error instanceof TextFormError) return error.message
    throw error
  }
}

/**
 * The ids in a pasted text, one a line, or several, and the lines without one. With one id in a line, the rest of the
 * line is its label, without separators: `gamma: NodeID-…`, `NodeID-…, "gamma"`, a row of CSV. A line is understood
 * if all that looks like an id is one.
 */
export function readPaste(text: string): Paste {
  const members: Given[] = []
  const notUnderstood: NotUnderstood[] = []
  for (const [place, line] of text.split(/\r\n|[\n\r]/).entries()) {
    const ids = [...line.matchAll(idText)].map(([id]) => ({ id, bytes: bytesOf(id) }))
    const found = ids.flatMap(({ bytes }) => (typeof bytes === 'string' ? [] : [bytes]))
    const [only] = ids
    const [bytes] = found
    if (ids.length === 1 && only && bytes) {
      const label = asPlainLine(line)
        .replace(only.id, ' ')
        .replaceAll(/["'`]/g, '')
        .replaceAll(/^[\s,;:|=>*#-]+|[\s,;:|=<*-]+$/g, '')
      members.push({ bytes, label: asPlainLine(label.replaceAll(/[\s,;|]+/g, ' ').slice(0, 80)).trim() })
    } else members.push(...found.map((each) => ({ bytes: each, label: '' })))
    const wrong = ids.find((each) => typeof each.bytes === 'string')
    const reason =
      typeof wrong?.bytes === 'string' ? `${wrong.id.slice(0, 64)}: ${wrong.bytes}` : 'no ID in it'
    if (wrong || (ids.length === 0 && !nothing.test(line)))
      notUnderstood.push({ line: place + 1, text: asPlainLine(line).trim().slice(0, longestText), reason })
  }
  return { members, notUnderstood }
}
