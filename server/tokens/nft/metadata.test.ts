import { expect, test } from 'vitest'
import { longestDataImage, readMetadata } from './metadata.ts'
import { expandTokenUri, readDataUri } from './token-uri.ts'

const read = (value: unknown, kind = 721, hosts: readonly string[] = []) =>
  readMetadata(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), {
    kind,
    tokenId: 314_592n,
    hosts: new Set(hosts),
  })
const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('reads the fields of ERC-721, ERC-1155 and the marketplaces', () => {
  expect(
    read({
      name: 'Number 5',
      symbol: 'NUM',
      description: 'Two\nlines',
      image_url: 'ipfs://QmId/5.png',
      animation_url: 'https://media.test/5.mp4',
      external_url: 'https://site.test/5?a=b',
      background_color: '#A0B1C2',
      decimals: 0,
      attributes: [{ trait_type: 'Colour', value: 'red' }],
      properties: { rank: 5 },
    }),
  ).toEqual({
    name: 'Number 5',
    symbol: 'NUM',
    description: 'Two\nlines',
    image_uri: 'ipfs://QmId/5.png',
    animation_uri: 'https://media.test/5.mp4',
    external_url: 'https://site.test/5?a=b',
    background: 'a0b1c2',
    decimals: 0,
    attributes: '[{"trait_type":"Colour","value":"red"}]',
    properties: '{"rank":5}',
  })
})

test.each([
  ['javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)', null],
  ['data:text/html,<script>alert(1)</script>', null],
  [
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    `data:image/svg+xml;base64,${base64('<svg onload="alert(1)"/>')}`,
  ],
  ['http://picture.test/1.png', null],
  ['http://mapped.test/1.png', 'http://mapped.test/1.png'],
  ['https://user:password@picture.test/1.png', null],
  ['https://picture.test/"><script>', 'https://picture.test/%22%3E%3Cscript%3E'],
  ['https://picture.test/\u202Egnp.1', 'https://picture.test/%E2%80%AEgnp.1'],
  ['file:///etc/passwd', null],
  ['//picture.test/1.png', null],
  [`https://picture.test/${'x'.repeat(3_000)}`, null],
  [`data:image/png;base64,${'A'.repeat(longestDataImage)}`, null],
  [5, null],
  [{ url: 'https://picture.test/' }, null],
])('the picture link %s is kept as %s', (image, kept) => {
  const fields = read({ name: 'x', image }, 721, ['mapped.test'])
  const found = typeof fields === 'string' ? fields : fields.image_uri
  expect(found).toBe(kept)
})

test('rewrites a data: image without characters that could break out of an attribute', () => {
  expect(read({ name: 'x', image: 'data:image/png;base64,AAAA"onerror="alert(1)' })).toMatchObject({
    image_uri: expect.stringMatching(/^data:image\/png;base64,AAAA[0-9A-Za-z+/]*=*$/),
  })
})

test('converts an inline picture to a data: image', () => {
  expect(read({ name: 'x', image_data: '<svg xmlns="http://www.w3.org/2000/svg"/>' })).toMatchObject({
    image_uri: `data:image/svg+xml;base64,${base64('<svg xmlns="http://www.w3.org/2000/svg"/>')}`,
  })
  expect(read({ name: 'x', image_data: '<html>' })).toMatchObject({ image_uri: null })
})

test('sanitizes texts, also nested ones', () => {
  const fields = read({
    name: 'a\u0000b\u202Ec',
    description: '<script>alert(1)</script>\u2066',
    attributes: [{ 'trait\u0000_type': '\u202Eevil', value: null }],
  })
  expect(fields).toMatchObject({
    name: 'abc',
    description: '<script>alert(1)</script>',
    attributes: '[{"trait_type":"evil","value":null}]',
  })
})

test('is safe from prototype pollution', () => {
  const fields = read(
    '{"name":"x","__proto__":{"image":"https://a.test/"},"properties":{"__proto__":{"polluted":1},"constructor":2}}',
  )
  expect(fields).toMatchObject({
    image_uri: null,
    properties: '{"__proto__":{"polluted":1},"constructor":2}',
  })
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(read('{"toString":1}')).toBe('shape')
})

test('cuts or drops deep, wide and large structures', () => {
  const deep = `{"name":"x","attributes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(read(deep)).toMatchObject({ name: 'x' })
  expect(
    read({ name: 'x', attributes: Array.from({ length: 50_000 }, () => 'long enough to matter'.repeat(9)) }),
  ).toMatchObject({
    attributes: null,
  })
  const wide = read({ name: 'x', attributes: Array.from({ length: 5_000 }, () => 1) })
  expect(typeof wide === 'string' ? [] : JSON.parse(wide.attributes ?? '')).toHaveLength(200)
})

test.each([
  ['', 'json'],
  ['{"name":', 'json'],
  ['<html>', 'json'],
  ['null', 'shape'],
  ['[{"name":"x"}]', 'shape'],
  ['"name"', 'shape'],
  ['{}', 'shape'],
  ['{"name":{"a":1}}', 'shape'],
  ['{"name":""}', 'shape'],
])('%s is not metadata: %s', (text, why) => {
  expect(read(text)).toBe(why)
})

test('accepts a byte order mark and invalid UTF-8', () => {
  expect(read('\uFEFF{"name":"x"}')).toMatchObject({ name: 'x' })
  const body = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from([0xff]), Buffer.from('"}')])
  expect(readMetadata(body, { kind: 721, tokenId: 1n, hosts: new Set() })).toMatchObject({ name: 'a\uFFFD' })
})

test('{id} is replaced for ERC-1155 only, as its standard shows', () => {
  const uri = 'https://token-cdn-domain/{id}.json'
  expect(expandTokenUri(uri, 1155, 314_592n)).toBe(
    'https://token-cdn-domain/000000000000000000000000000000000000000000000000000000000004cce0.json',
  )
  expect(expandTokenUri(uri, 721, 314_592n)).toBe(uri)
})

test.each([
  ['data:application/json,{"a":1}', 'application/json', '{"a":1}'],
  ['data:application/json;utf8,{"a":"50% of #1"}', 'application/json', '{"a":"50% of #1"}'],
  ['data:application/json;charset=utf-8,%7B%22a%22%3A%22%C3%A9%22%7D', 'application/json', '{"a":"é"}'],
  ['data:application/json;base64,eyJhIjoxfQ==', 'application/json', '{"a":1}'],
  ['DATA:Application/JSON;Base64,eyJhIjoxfQ', 'application/json', '{"a":1}'],
  ['data:,é', '', 'é'],
  ['data:application/json', undefined, undefined],
  ['https://a.test/,', undefined, undefined],
])('%s holds %s', (uri, type, body) => {
  const found = readDataUri(uri)
  expect(found?.type).toBe(type)
  expect(found?.body.toString('utf8')).toBe(body)
})
