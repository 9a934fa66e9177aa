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

  test('of a level are steps halfway between its points, the same from either end', () => {
    const three = [...run, { x: 20, y: 8 }]
    expect(linePath([three], same, same, true)).toBe('M0,10H5V5H10H15V8H20')
    expect(linePath([three.toReversed()], same, same, true)).toBe('M20,8H15V5H10H5V10H0')
    expect(linePath([[{ x: 30, y: 7 }]], same, same, true)).toBe('M30,7h0')
  })

  test('close an area at the base line', () => {
    expect(areaPath([run, [{ x: 30, y: 7 }]], same, same, 20)).toBe('M0,10L10,5L10,20L0,20Z')
  })

  test('centre bars on their point', () => {
    expect(barPath(run, same, same, 20, 4)).toBe('M-2,20V10h4V20ZM8,20V5h4V20Z')
  })
})
