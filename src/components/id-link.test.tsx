import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { shorten } from '../lib/text.ts'
import { IdLink } from './id-link.tsx'

const value = '0xeb93e90d0000000000000000000000000000369b0a12'

test('a long value is cut once, and its end is not what gives way', () => {
  const markup = renderToStaticMarkup(<IdLink value={value} />)
  expect(markup.replaceAll(/<[^>]*>/g, '')).toBe(shorten(value))
  expect(markup.match(/…/g)).toHaveLength(1)
  // No ellipsis of the browser beside the one in the middle.
  expect(markup).not.toContain('truncate')
  expect(/<span class="shrink-0">([^<]*)/.exec(markup)?.[1]).toBe('…9b0a12')
})

test('a short value stays whole', () => {
  expect(renderToStaticMarkup(<IdLink value="0x1234" />)).toContain('>0x1234<')
})

test('a value with a name shows that, and both in its title; whole it shows itself', () => {
  const named = renderToStaticMarkup(<IdLink value={value} called="Vault" />)
  expect(named.replaceAll(/<[^>]*>/g, '')).toBe('Vault')
  expect(named).toContain(`title="Vault · ${value}"`)
  const whole = renderToStaticMarkup(<IdLink value={value} called="Vault" full />)
  expect(whole.replaceAll(/<[^>]*>/g, '')).toBe(value)
})
