import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

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

test('a plain GET is one short line', () => {
  expect(curlOf({ method: 'GET', url: 'http://127.0.0.1:4400/v1/chains' })).toBe(
    "curl 'http://127.0.0.1:4400/v1/chains'",
  )
})
