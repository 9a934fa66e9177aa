import type { Item } from './calls.ts'
import type { Passed } from './pass.ts'

/**
 * Inserts the gateway's own answers, such as errors of refused calls, into a node's answer to the rest of the batch, in
 * the order of the calls. The node's answer is streamed; only the gateway's answers are buffered. When a node answers
 * the whole batch with one object, that object becomes one element of the list.
 */
export function withOwnAnswers({ status, head, rest }: Passed, items: readonly Item[]): Passed {
  const merger = new Merger(items)
  const begin = merger.push(head)
  if (!rest) return { status, head: Buffer.concat([begin, merger.end()]), rest: undefined }
  return { status, head: begin, rest: merged(merger, rest) }
}

async function* merged(merger: Merger, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of rest) yield merger.push(chunk)
  yield merger.end()
}

const bytes = {
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** Scans the elements of a JSON list and writes the gateway's answers between them. */
class Merger {
  /** The gateway's answers before each of the node's answers, and after the last one. */
  readonly #own: string[][]
  #state: 'start' | 'between' | 'element' | 'object' | 'done' = 'start'
  #isFirst = true
  #depth = 0
  #isText = false
  #isEscaped = false

  constructor(items: readonly Item[]) {
    let own: string[] = []
    this.#own = [own]
    for (const item of items) {
      if ('answer' in item) {
        if (item.answer !== undefined) own.push(item.answer)
      } else if (item.call.id !== undefined) {
        own = []
        this.#own.push(own)
      }
    }
  }

  push(chunk: Buffer): Buffer {
    const out: Buffer[] = []
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      if (this.#state === 'object' || this.#state === 'done') break
      if (this.#state === 'start') {
        if (isSpace(byte)) continue
        out.push(Buffer.from('['))
        this.#state = byte === bytes.openList ? 'between' : 'object'
        if (this.#state === 'object') {
          out.push(this.#beginElement())
          from = at
        }
      } else if (this.#state === 'between') {
        if (isSpace(byte) || byte === bytes.comma) continue
        if (byte === bytes.closeList) {
          out.push(this.#endList())
        } else {
          out.push(this.#beginElement())
          this.#state = 'element'
          from = at
          this.#follow(byte)
        }
      } else if (this.#endsElement(byte)) {
        out.push(chunk.subarray(from, at))
        this.#state = 'between'
        if (byte === bytes.closeList) out.push(this.#endList())
      } else this.#follow(byte)
    }
    if (this.#state === 'element' || this.#state === 'object') out.push(chunk.subarray(from))
    return Buffer.concat(out)
  }

  /** The bytes after the node's last byte. A list that broke off stays unclosed, so that no parser accepts it. */
  end(): Buffer {
    if (this.#state === 'object') return this.#endList()
    if (this.#state !== 'start') return Buffer.alloc(0)
    // The node answers nothing to a batch of notifications.
    const left = this.#own.flat()
    return Buffer.from(left.length === 0 ? '' : `[${left.join(',')}]`)
  }

  #endsElement(byte: number): boolean {
    return !this.#isText && this.#depth === 0 && (byte === bytes.comma || byte === bytes.closeList)
  }

  #follow(byte: number): void {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === bytes.backslash) this.#isEscaped = true
      else if (byte === bytes.quote) this.#isText = false
    } else if (byte === bytes.quote) this.#isText = true
    else if (byte === bytes.openList || byte === bytes.openObject) this.#depth += 1
    else if (byte === bytes.closeList || byte === bytes.closeObject) this.#depth -= 1
  }

  #beginElement(): Buffer {
    const before = (this.#own.shift() ?? []).map((answer) => `${answer},`).join('')
    const comma = this.#isFirst ? '' : ','
    this.#isFirst = false
    return Buffer.from(comma + before)
  }

  #endList(): Buffer {
    this.#state = 'done'
    const left = this.#own.flat().join(',')
    return Buffer.from(`${this.#isFirst || left === '' ? '' : ','}${left}]`)
  }
}
