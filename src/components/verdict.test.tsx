import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { VerdictLine } from './verdict.tsx'

test('a verdict has the same place while it loads, when it is known and when there is none', () => {
  const known = { state: 'ok', word: 'on track', text: '99 % up.' } as const
  const drawn = [undefined, known, null].map((verdict) =>
    renderToStaticMarkup(<VerdictLine verdict={verdict} />),
  )
  const places = drawn.map((html) => /^<\w+ class="([^"]+)"/.exec(html)?.[1])
  expect(new Set(places).size).toBe(1)
  expect(places[0]).toMatch(/\bmin-h-/)
  expect(drawn[0]).toContain('Loading')
  expect(drawn[1]).toMatch(/aria-label="Verdict".*on track.*99 % up\./)
})
