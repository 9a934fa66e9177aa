/** A server-sent event: its name, and its joined data lines. */
type SentEvent = { name: string; data: string }

/** The longest accepted event in characters: a set of thousands of signers is far shorter. */
const longest = 32_000_000

/**
 * Parses server-sent events (WHATWG HTML, 9.2.6) from chunks of text. Comments, ids and retry times are ignored, and
 * an event without data is dropped. Throws RangeError for an event of more than 32 MB.
 */
export function sseReader(): (piece: string) => SentEvent[] {
  let rest = ''
  let name = ''
  let data: string[] = []
  let size = 0
  let first = true

  const take = (line: string, events: SentEvent[]): void => {
    if (line === '') {
      if (data.length > 0) events.push({ name: name || 'message', data: data.join('\n') })
      name = ''
      data = []
      size = 0
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    if (field === 'data') {
      data.push(value)
      size += value.length
    }
  }

  return (piece) => {
    const events: SentEvent[] = []
    const text = rest + (first ? piece.replace(/^\uFEFF/, '') : piece)
    first &&= piece === ''
    // A trailing carriage return may be the first half of a line end.
    const whole = text.endsWith('\r') ? text.length - 1 : text.length
    const line = /\r\n|\n|\r/g
    let from = 0
    for (let end = line.exec(text); end && end.index < whole; end = line.exec(text)) {
      take(text.slice(from, end.index), events)
      from = end.index + end[0].length
    }
    rest = text.slice(from)
    if (rest.length + size > longest) throw new RangeError('an event of the stream has no end')
    return events
  }
}
