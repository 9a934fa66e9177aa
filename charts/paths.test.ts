import { describe, expect, test } from 'vitest'
import { areaPath, barPath, linePath } from './paths.ts'

const same = (value: number): number => value
const run = [
  { x: 0, y: 10 },
  { x: 10, y: 5.04 },
]

describe('paths', () => {
  test('draw each run separately and an isolated point as a dot', () => {
    expect(linePath([run, [{ x: 30, y: 7 }]], same, same)).toBe('M0,10L10,5M30,7h0')
    expect(linePath([], same, same)).toBe('')
  })

  test('close an area at the base line', () => {
    expect(areaPath([run, [{ x: 30, y: 7 }]], same, same, 20)).toBe('M0,10L10,5L10,20L0,20Z')
  })

  test('centre bars on their point', () => {
    expect(barPath(run, same, same, 20, 4)).toBe('M-2,20V10h4V20ZM8,20V5h4V20Z')
  })
})
