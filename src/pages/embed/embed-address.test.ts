import { expect, test } from 'vitest'
import { getMetricFrame, getMetricPicture } from '../../../contract/pictures/metrics.ts'
import { metricsSchema } from '../metrics/state.ts'
import { embedAddress, frameCode } from './embed-address.ts'

test('is the address of the page, with what the picture can show of its query', () => {
  const search = new URLSearchParams('range=30d&table=txCount&open=0~2&compare=1~2&mode=stacked')
  expect(embedAddress('/chain/43113/metrics/txCount', search, 'svg')).toBe(
    '/embed/chain/43113/metrics/txCount.svg?range=30d&compare=1%7E2&mode=stacked',
  )
  const supply = (form: 'png' | 'frame'): string =>
    embedAddress('/networks/fuji/metrics/supply', new URLSearchParams('table=supply'), form)
  expect(supply('png')).toBe('/embed/networks/fuji/metrics/supply.png')
  expect(supply('frame')).toBe('/embed/networks/fuji/metrics/supply')
})

test('keeps only what the operations know', () => {
  const page = new URLSearchParams(Object.keys(metricsSchema.shape).map((name) => [name, 'x']))
  const address = new URL(embedAddress('/chain/1/metrics/txCount', page, 'png'), 'http://127.0.0.1')
  for (const name of address.searchParams.keys())
    for (const { query } of [getMetricPicture, getMetricFrame])
      expect(Object.keys(query.shape), name).toContain(name)
})

test('the code of an iframe holds address and name as attributes', () => {
  const address = 'http://ridge.lan:4400/embed/chain/1/metrics/txCount?range=30d&mode=plain'
  expect(frameCode(address, 'A & "B" <c>')).toBe(
    '<iframe src="http://ridge.lan:4400/embed/chain/1/metrics/txCount?range=30d&amp;mode=plain" title="A &amp; &quot;B&quot; <c>" width="800" height="420" style="border: 0" loading="lazy"></iframe>',
  )
})
