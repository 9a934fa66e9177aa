import { expect, test } from 'vitest'
import { curlOf, typescriptOf } from './commands.ts'

const awkward = {
  method: 'POST',
  url: "http://127.0.0.1:4400/v1/a?b=$(id)&c='d'",
  headers: { 'x-service-api-key': "it's `secret`" },
  body: '{"text":"a \\"quote\\", it\'s\\n$HOME"}',
}

test('nothing in curl’s words is expanded by a shell', () => {
  expect(curlOf(awkward)).toBe(
    [
      String.raw`curl -X POST 'http://127.0.0.1:4400/v1/a?b=$(id)&c='\''d'\''' \
  -H 'x-service-api-key: it'\''s ` + '`secret`',
      String.raw`' \
  -H 'content-type: application/json' \
  --data-raw '{"text":"a \"quote\", it'\''s\n$HOME"}'`,
    ].join(''),
  )
})

test('the TypeScript sends exactly what the request is', async () => {
  const code = typescriptOf(awkward).replace('const answer: unknown', 'const answer')
  const sent: unknown[] = []
  const answering = (...args: unknown[]) => {
    sent.push(...args)
    return Promise.resolve({ ok: true, json: () => Promise.resolve('answered') })
  }
  // The generated code is trusted: running it checks it by the language itself instead of a second parser.
  const run = new Function('fetch', `return (async () => { ${code}; return answer })()`) as (
    fetch: unknown,
  ) => Promise<unknown>
  expect(await run(answering)).toBe('answered')
  expect(sent).toEqual([
    awkward.url,
    {
      method: 'POST',
      headers: { ...awkward.headers, 'content-type': 'application/json' },
      body: awkward.body,
    },
  ])
})

test('a plain GET is one short line', () => {
  expect(curlOf({ method: 'GET', url: 'http://127.0.0.1:4400/v1/chains' })).toBe(
    "curl 'http://127.0.0.1:4400/v1/chains'",
  )
})
