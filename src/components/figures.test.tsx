import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Figures } from './figures.tsx'

const textOf = (figures: Parameters<typeof Figures>[0]['figures']): string =>
  renderToStaticMarkup(<Figures figures={figures} />).replaceAll(/<[^>]*>/g, ' ')

test('distinguishes none, loading and unknown', () => {
  const error = new Error('503')
  expect(textOf([{ label: 'Next', value: null, error: null }])).toMatch(/–/)
  expect(textOf([{ label: 'Next', value: undefined }])).not.toMatch(/–|not known/)
  const failed = textOf([{ label: 'Next', value: undefined, error, note: 'estimated' }])
  expect(failed).toMatch(/not known\s+could not be loaded/)
  expect(failed).not.toMatch(/–|estimated/)
  // Figures that fail together say so once.
  const both = textOf([
    { label: 'Own', value: undefined, error },
    { label: 'Next', value: undefined, error, note: 'estimated' },
  ])
  expect(both).toMatch(/Own\s+not known\s+could not be loaded\s+Next\s+not known\s*$/)
  const behind = Object.assign(new Error('not known yet'), { behind: 'p-chain 5 5000' })
  expect(textOf([{ label: 'Next', value: undefined, error: behind }])).toMatch(/not known\s+not indexed yet/)
  // A loaded value stays when a refetch fails.
  expect(textOf([{ label: 'Next', value: '7', error, note: 'estimated' }])).toMatch(/7\s+estimated/)
})
