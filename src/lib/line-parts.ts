const newline = 10

/** Bytes that are handed to the browser as one part: it keeps large ones on disk. */
const partBytes = 4 * 1_048_576

/**
 * Collects a file of lines whose transfer may break off: it keeps whole lines only, so that the next transfer can
 * continue after the last one.
 */
export class LineParts {
  /** The number of whole lines. */
  count = 0
  /** The last whole line, without its end; empty before the first one. */
  last = ''
  readonly #parts: Blob[] = []
  #chunks: Uint8Array<ArrayBuffer>[] = []
  #size = 0
  /** The beginning of a line whose end has not come. */
  #rest: Uint8Array<ArrayBuffer>[] = []

  add(chunk: Uint8Array<ArrayBuffer>): void {
    const end = chunk.lastIndexOf(newline)
    if (end === -1) {
      this.#rest.push(chunk)
      return
    }
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) this.count += 1
    const start = end === 0 ? -1 : chunk.lastIndexOf(newline, end - 1)
    const before = start === -1 ? this.#rest : []
    const decoder = new TextDecoder()
    this.last = [...before, chunk.subarray(start + 1, end)]
      .map((bytes) => decoder.decode(bytes, { stream: true }))
      .join('')
    this.#keep([...this.#rest, chunk.subarray(0, end + 1)])
    this.#rest = end + 1 === chunk.length ? [] : [chunk.subarray(end + 1)]
  }

  /** Forgets the line that broke off. */
  dropRest(): void {
    this.#rest = []
  }

  /** Forgets everything. */
  clear(): void {
    this.count = 0
    this.last = ''
    this.#parts.length = 0
    this.#chunks = []
    this.#size = 0
    this.#rest = []
  }

  /** All that has come, also the line that has no end. */
  parts(): Blob[] {
    return [...this.#parts, new Blob([...this.#chunks, ...this.#rest])]
  }

  #keep(chunks: readonly Uint8Array<ArrayBuffer>[]): void {
    for (const chunk of chunks) {
      this.#chunks.push(chunk)
      this.#size += chunk.length
    }
    if (this.#size < partBytes) return
    this.#parts.push(new Blob(this.#chunks))
    this.#chunks = []
    this.#size = 0
  }
}
