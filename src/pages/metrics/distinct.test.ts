import { expect, test } from 'vitest'
import { ApiError } from '../../api/errors.ts'
import { distinctFigure } from './distinct.ts'

const unit = { symbol: 'addresses', decimals: 0 }

test('a count is shown short, with its exact value beside it', () => {
  expect(distinctFigure(1_234_567, null, unit)).toMatchObject({
    label: 'Distinct in the range',
    title: '1,234,567 addresses',
    copy: '1234567',
  })
})

test('a range that can’t be counted has no value and says why; a failure is not known', () => {
  const refused = new ApiError('status', 'endTimestamp: keeps only the last hour', { status: 400 })
  expect(distinctFigure(undefined, refused, unit)).toMatchObject({
    value: null,
    title: 'endTimestamp: keeps only the last hour',
  })
  const failed = new ApiError('status', 'no', { status: 500 })
  expect(distinctFigure(undefined, failed, unit)).toMatchObject({ value: undefined, error: failed })
  expect(distinctFigure(undefined, null, unit)).toMatchObject({ value: undefined, error: null })
})
