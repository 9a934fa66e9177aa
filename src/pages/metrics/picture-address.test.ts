import { expect, test } from 'vitest'
import { getMetricPicture } from '../../../contract/metrics/pictures.ts'
import { metricsSchema } from './state.ts'
import { pictureAddress } from './picture-address.ts'

test('is the address of the page, with what the picture can show of its query', () => {
  const search = new URLSearchParams('range=30d&table=txCount&open=0~2&compare=1~2&mode=stacked')
  expect(pictureAddress('/chain/43113/metrics/txCount', search)).toBe(
    '/embed/chain/43113/metrics/txCount.svg?range=30d&compare=1%7E2&mode=stacked',
  )
  expect(pictureAddress('/networks/fuji/metrics/supply', new URLSearchParams('table=supply'))).toBe(
    '/embed/networks/fuji/metrics/supply.svg',
  )
})

test('keeps only what the operation knows', () => {
  const page = new URLSearchParams(Object.keys(metricsSchema.shape).map((name) => [name, 'x']))
  const address = new URL(pictureAddress('/chain/1/metrics/txCount', page), 'http://127.0.0.1')
  for (const name of address.searchParams.keys())
    expect(Object.keys(getMetricPicture.query.shape), name).toContain(name)
})
