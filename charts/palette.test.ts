import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inTheme, plainColours, seriesColour, seriesColours, surfaceColour, type Theme } from './palette.ts'

type Triple = readonly [number, number, number]

const linear = (hex: string): Triple => {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

const times = (matrix: readonly Triple[], [a, b, c]: Triple): Triple => {
  const row = (index: number): number => {
    const [x, y, z] = matrix[index] ?? [0, 0, 0]
    return x * a + y * b + z * c
  }
  return [row(0), row(1), row(2)]
}

/** OKLab of linear sRGB, after Ottosson. */
const oklab = (rgb: Triple): Triple => {
  const lms = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  )
  const rooted: Triple = [Math.cbrt(lms[0]), Math.cbrt(lms[1]), Math.cbrt(lms[2])]
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    rooted,
  )
}

/** Full dichromacy on linear sRGB, after Machado, Oliveira and Fernandes (2009). */
const sight: Record<string, readonly Triple[]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

const seen = (hex: string, kind: string): Triple => {
  const [r, g, b] = times(sight[kind] ?? [], linear(hex))
  return oklab([clamp(r), clamp(g), clamp(b)])
}

const luminance = (hex: string): number => {
  const [r, g, b] = linear(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function minDistance(colours: readonly string[], kind: string): number {
  const labs = colours.map((hex) => seen(hex, kind))
  let least = Infinity
  for (const [i, a] of labs.entries())
    for (const b of labs.slice(i + 1))
      least = Math.min(least, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))
  return least * 100
}

const themes: Theme[] = ['light', 'dark']

for (const theme of themes) {
  for (const kind of Object.keys(sight)) {
    test(`${theme} series colours are distinguishable with ${kind} vision`, () => {
      expect(minDistance(seriesColours[theme], kind)).toBeGreaterThanOrEqual(9.8)
    })
  }

  test(`${theme} series colours have a contrast of 3:1 against the surface`, () => {
    for (const hex of seriesColours[theme])
      expect(contrast(hex, surfaceColour[theme]), hex).toBeGreaterThanOrEqual(3)
  })
}

test('the style sheet has the same colours in the same order', () => {
  const css = readFileSync(new URL('../src/styles/index.css', import.meta.url), 'utf8')
  const found = [...css.matchAll(/--color-series-(\d): light-dark\((#\w+), (#\w+)\)/g)]
  expect(found.map((match) => match[2])).toEqual(seriesColours.light)
  expect(found.map((match) => match[3])).toEqual(seriesColours.dark)
  const surface = /--color-surface: light-dark\((#\w+), (#\w+)\)/.exec(css)
  expect([surface?.[1], surface?.[2]]).toEqual([surfaceColour.light, surfaceColour.dark])
})

test('every colour of a chart is that of the style sheet in both themes', () => {
  const css = readFileSync(new URL('../src/styles/index.css', import.meta.url), 'utf8')
  const names = [
    ...Object.keys(plainColours.light),
    ...Array.from({ length: 8 }, (_, index) => /--[\w-]+/.exec(seriesColour(index))?.[0] ?? ''),
  ]
  for (const name of names) {
    const [, light, dark] = new RegExp(`${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? []
    expect([light, dark], name).toEqual([inTheme(`var(${name})`, 'light'), inTheme(`var(${name})`, 'dark')])
  }
  expect(inTheme('#123456', 'dark')).toBe('#123456')
  expect(() => inTheme('var(--color-danger)', 'light')).toThrow('--color-danger')
})
