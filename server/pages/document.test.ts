import { readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { describeDocument, sendDocument } from './document.ts'

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

test('nothing is painted before the whole page is there', () => {
  const [, id = ''] = /<link rel="expect" href="#(\w+)" blocking="render" \/>/.exec(html) ?? []
  const [head, body = ''] = html.split('</head>')
  expect(head).toContain('blocking="render"')
  // A browser waits for this element, which comes after the page that the service draws.
  expect(body.indexOf(`id="${id}"`)).toBeGreaterThan(body.indexOf('<div id="root"></div>'))
})

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

test('the policy of a document with a page allows its sheet by its hash, and no other style', async () => {
  const app = Fastify()
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('content-security-policy', "default-src 'none';style-src 'self';img-src 'self'")
    done()
  })
  const page = { markup: '<h1 data-style="0">Blocks $&</h1>', sheet: '[data-style="0"]{width:7px}' }
  app.get('/:page', (request, reply) =>
    sendDocument(request, reply, {
      html,
      drawn: request.url === '/with' ? page : undefined,
      preview: undefined,
      publicUrl: undefined,
    }),
  )
  const policyOf = async (url: string) => {
    const { headers, body } = await app.inject({ url })
    return { policy: headers['content-security-policy'], body }
  }
  const { policy, body } = await policyOf('/with')
  expect(body).toContain(`<div id="root"><style>${page.sheet}</style>${page.markup}</div>`)
  const [, style = ''] = /<style>(.*?)<\/style>/.exec(body) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(policy).toBe(`default-src 'none';style-src 'self' 'sha256-${hash}';img-src 'self'`)
  expect((await policyOf('/without')).policy).toBe("default-src 'none';style-src 'self';img-src 'self'")
  await app.close()
})
