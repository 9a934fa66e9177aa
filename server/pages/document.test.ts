import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeDocument } from './document.ts'

const html = await readFile(new URL('../../index.html', import.meta.url), 'utf8')

/** The value of each meta element of a document by its property or name, as a browser reads it. */
const metaOf = (document: string): Map<string, string> =>
  new Map(
    [...document.matchAll(/<meta\s+(?:property|name)="([^"]+)"\s+content="([^"]*)"/g)].map(
      ([, key = '', value = '']) => [
        key,
        value
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&'),
      ],
    ),
  )

const picture = { path: '/embed/chain/1/metrics/txCount.png?compare=2&mode=stacked', alt: 'Transactions' }

test('the head of the built page takes title, description and picture', () => {
  const described = describeDocument(
    html,
    { title: 'Blocks · A', description: 'What they are', picture },
    'https://ridgeline.example',
  )
  const meta = metaOf(described)
  expect(meta.get('og:title')).toBe('Blocks · A · Ridgeline')
  expect(meta.get('og:description')).toBe('What they are')
  expect(meta.get('og:image')).toBe(`https://ridgeline.example${picture.path}`)
  expect([meta.get('og:image:width'), meta.get('og:image:height')]).toEqual(['1200', '630'])
  expect(meta.get('twitter:card')).toBe('summary_large_image')
  expect(described).toContain('<title>Blocks · A · Ridgeline</title>')
  expect(described.match(/og:title/g)).toHaveLength(1)
})

test('without an origin there is no picture, and without a description that of all pages stays', () => {
  const meta = metaOf(describeDocument(html, { title: 'Blocks', picture }, undefined))
  expect(meta.has('og:image')).toBe(false)
  expect(meta.get('og:description')).toBe(metaOf(html).get('og:description'))
})

test('what a path says cannot leave its attribute', () => {
  const title = `"><script>alert(1)</script>$& $1 '`
  const described = describeDocument(html, { title }, undefined)
  expect(described).not.toContain('<script>alert')
  expect(metaOf(described).get('og:title')).toBe(`${title} · Ridgeline`)
})
