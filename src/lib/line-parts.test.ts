import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineParts } from './line-parts.ts'

const textOf = (lines: LineParts): Promise<string> => new Blob(lines.parts()).text()

test('a file whose transfer breaks off anywhere, and continues after its last whole line, is complete', async () => {
  const rows = fc.array(fc.constantFrom('', 'a', 'äö', 'a long row'), { minLength: 1, maxLength: 12 })
  const cuts = fc.array(fc.nat(60), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(rows, cuts, async (texts, breaks) => {
      const bytes = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(''))
      const lines = new LineParts()
      let at = 0
      for (const length of breaks) {
        // One transfer in two chunks, then it breaks off.
        lines.add(bytes.slice(at, at + Math.floor(length / 3)))
        lines.add(bytes.slice(at + Math.floor(length / 3), at + length))
        lines.dropRest()
        expect(lines.last).toBe(texts[lines.count - 1] ?? '')
        const whole = texts.slice(0, lines.count).map((text) => `${text}\n`)
        at = new TextEncoder().encode(whole.join('')).length
      }
      lines.add(bytes.slice(at))
      expect(lines.count).toBe(texts.length)
      expect(await textOf(lines)).toBe(new TextDecoder().decode(bytes))
    }),
  )
})
