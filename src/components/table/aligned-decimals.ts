import { useLayoutEffect, type RefObject } from 'react'
import { minWidth } from './columns.ts'

/** The widest digit of the fonts that pages are drawn in, and the padding of a cell, in pixels. */
const digitWidth = 9
const cellPadding = 24

/** The length of the part before the point, and of the point, about half as wide as a digit, with the part behind it. */
function lengthsOf(figure: Element): readonly [whole: number, behind: number] {
  const [whole = '', fraction] = (figure.textContent ?? '').split('.')
  return [whole.length, fraction === undefined ? 0 : fraction.length + 0.5]
}

/**
 * Puts the decimal points of each column of a table below each other (`Decimal`), where its cells have one figure each, all
 * in one unit, and room. Texts are measured, not boxes: the page is laid out once.
 */
export function useAlignedDecimals(
  table: RefObject<HTMLTableElement | HTMLTableSectionElement | null>,
): void {
  useLayoutEffect(() => {
    const columns: HTMLElement[][] = []
    for (const figure of table.current?.querySelectorAll<HTMLElement>('td.text-right .decimal') ?? [])
      (columns[figure.closest('td')?.cellIndex ?? 0] ??= []).push(figure)
    const widths = table.current?.closest('table')?.querySelectorAll('col')
    columns.forEach((figures, at) => {
      const units = new Set(figures.map((figure) => figure.nextSibling?.textContent ?? ''))
      const cells = new Set(figures.map((figure) => figure.closest('td')))
      const lengths = figures.map(lengthsOf)
      const most = Math.max(...lengths.map(([, behind]) => behind))
      const [unit = ''] = units
      const length = Math.max(...lengths.map(([whole]) => whole)) + most + unit.length
      // A table without columns of given widths makes room.
      const width =
        Number.parseFloat(widths?.[at]?.style.width ?? '') || (widths?.length ? minWidth.figure : Infinity)
      const isAligned =
        units.size === 1 && cells.size === figures.length && length * digitWidth <= width - cellPadding
      figures.forEach((figure, index) => {
        const [, behind = 0] = lengths[index] ?? []
        figure.style.setProperty('--lacks', String(isAligned ? most - behind : 0))
      })
    })
  })
}
