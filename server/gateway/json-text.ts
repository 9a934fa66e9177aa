/** The position of an object's member in the text: its value lies in [start, end). */
export type Member = { readonly key: string; readonly start: number; readonly end: number }

/** The members of one object of a text, in order. */
export type ObjectMembers = ReadonlyMap<string, Member>

/** The top level of a JSON text: an object, a list of values, or something else. */
export type TopLevel =
  | { readonly kind: 'object'; readonly value: object; readonly members: ObjectMembers }
  | { readonly kind: 'list'; readonly values: readonly unknown[]; readonly members: readonly ObjectMembers[] }
  | { readonly kind: 'other' }

/** Valid JSON that the gateway refuses: a duplicate key, or values nested too deep. */
export class AmbiguousJson extends Error {
  override readonly name = 'AmbiguousJson'
  /** The members of the requested objects that were read and occur once. */
  readonly found: readonly ObjectMembers[]
  constructor(message: string, found: readonly ObjectMembers[]) {
    super(message)
    this.found = found
  }
}

type Frame = {
  /** Keys seen so far; undefined for a list. */
  readonly keys: Set<string> | undefined
  /** Filled for an object whose members are requested. */
  readonly members: Map<string, Member> | undefined
  awaitsKey: boolean
  key: string
  start: number
}

/**
 * Parses a JSON text together with the positions of its parts, so that the parts can be passed on as written. Parsers
 * disagree on duplicate keys, so any is refused: the node must read exactly what the gateway checked. Throws a
 * SyntaxError for invalid JSON, and AmbiguousJson.
 */
export function readTopLevel(text: string, deepest: number): TopLevel {
  const value: unknown = JSON.parse(text)
  const isList = Array.isArray(value)
  const found = collectMembers(text, isList ? 2 : 1, deepest)
  if (isList) return { kind: 'list', values: value, members: found }
  const [members] = found
  if (typeof value !== 'object' || value === null || !members) return { kind: 'other' }
  return { kind: 'object', value, members }
}

/** The members of every object of a JSON text that lies `depth` containers deep. Throws AmbiguousJson. */
export function objectsAt(text: string, depth: number): readonly ObjectMembers[] {
  return collectMembers(text, depth, Number.POSITIVE_INFINITY)
}

/**
 * The members of every object that lies `wantedDepth` containers deep. The text is valid JSON, so only brackets,
 * strings, colons and commas need to be scanned.
 */
function collectMembers(text: string, wantedDepth: number, deepest: number): ObjectMembers[] {
  const found: Map<string, Member>[] = []
  const twice = new Set<string>()
  const frames: Frame[] = []
  let top: Frame | undefined

  const open = (isObject: boolean, at: number): void => {
    if (frames.length >= deepest) throw new AmbiguousJson(`nested more than ${deepest} deep at ${at}`, found)
    const wanted = isObject && frames.length + 1 === wantedDepth
    const members = wanted ? new Map<string, Member>() : undefined
    if (members) found.push(members)
    top = { keys: isObject ? new Set() : undefined, members, awaitsKey: isObject, key: '', start: 0 }
    frames.push(top)
  }
  const endMember = (frame: Frame, at: number): void => {
    // An empty object has no member.
    if (frame.members && frame.keys?.size) frame.members.set(frame.key, trimmed(text, frame, at))
  }

  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
        open(true, at)
        break
      case '[':
        open(false, at)
        break
      case '}':
      case ']':
        if (top) endMember(top, at)
        frames.pop()
        top = frames.at(-1)
        break
      case ',':
        if (!top?.keys) break
        endMember(top, at)
        top.awaitsKey = true
        break
      case ':':
        if (top) top.start = at + 1
        break
      case '"': {
        const end = endOfString(text, at)
        if (top?.keys && top.awaitsKey) {
          top.awaitsKey = false
          top.key = JSON.parse(text.slice(at, end)) as string
          if (top.keys.has(top.key)) twice.add(top.key)
          top.keys.add(top.key)
        }
        at = end - 1
        break
      }
    }
  }
  const [first] = twice
  if (first === undefined) return found
  for (const members of found) for (const key of twice) members.delete(key)
  throw new AmbiguousJson(`key given twice: ${first.slice(0, 64)}`, found)
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  for (;;) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'

function trimmed(text: string, { key, start }: Frame, at: number): Member {
  let first = start
  let end = at
  while (isSpace(text[first])) first += 1
  while (isSpace(text[end - 1])) end -= 1
  return { key, start: first, end }
}
