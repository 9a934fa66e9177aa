import { useLayoutEffect, type RefObject } from 'react'
import { minWidth } from './columns.ts'

/** The widest digit of the fonts that pages are drawn in, and the padding of a cell, in pixels. */
const digitWidth = 9
const cellPadding = 24

/** Decimals of dust: nobody compares it by its digits, and the others need not keep room for them. */
const dustDecimals = 10

/** The unit behind a figure. */
const unitOf = (figure: Element): string => figure.nextSibling?.textContent ?? ''

/**
 * The lengths of a figure before and behind the line on which those of its column meet: the decimal point, about half as wide
 * as a digit, or the end of the figure where units differ. The number of further assets behind it (`AssetAmounts`) has the
 * room of three. A unit stays beside its figure and counts before the line, wherever it is drawn.
 */
function lengthsOf(figure: Element, meetsAtPoint: boolean): readonly [before: number, behind: number] {
  const [whole = '', fraction = ''] = (figure.textContent ?? '').split('.')
  const decimals = fraction.length + (fraction ? 0.5 : 0)
  const more = figure.parentElement?.nextElementSibling?.matches('.more') ? 3 : 0
  const before = whole.length + unitOf(figure).length
  return meetsAtPoint ? [before, decimals + more] : [before + decimals, more]
}

/**
 * Puts the decimal points of each column of a table below each other (`Decimal`), where its cells have one figure each and
 * room; in a column of several units, the ends of these. Texts are measured, not boxes: the page is laid out once. A column
 * keeps the room of the longest figure that was drawn: of a long list only a part is, and nothing moves as one scrolls.
 */
export function useAlignedDecimals(
  table: RefObject<HTMLTableElement | HTMLTableSectionElement | null>,
): void {
  useLayoutEffect(() => {
    const columns: HTMLElement[][] = []
    for (const figure of table.current?.querySelectorAll<HTMLElement>('td .decimal') ?? [])
      (columns[figure.closest('td')?.cellIndex ?? 0] ??= []).push(figure)
    const cols = table.current?.closest('table')?.querySelectorAll('col')
    columns.forEach((figures, at) => {
      const units = new Set(figures.map(unitOf))
      const cells = new Set(figures.map((figure) => figure.closest('td')))
      const meetsAtPoint = units.size === 1
      const lengths = figures.map((figure) => lengthsOf(figure, meetsAtPoint))
      const col = cols?.[at]
      const most = Math.max(
        meetsAtPoint ? Number(col?.dataset['most'] ?? 0) : 0,
        ...lengths.map(([, behind]) => (behind < dustDecimals ? behind : 0)),
      )
      if (col) col.dataset['most'] = String(most)
      const length = Math.max(...lengths.map(([before]) => before)) + most
      // A table without columns of given widths makes room.
      const width = Number.parseFloat(col?.style.width ?? '') || (col ? minWidth.figure : Infinity)
      const isAligned =
        cells.size === figures.length &&
        length * digitWidth <= width - cellPadding &&
        // On a phone, a row has two lines and no columns.
        figures[0]?.closest('td.text-right')
      figures.forEach((figure, index) => {
        const [, behind = 0] = lengths[index] ?? []
        // A unit stays beside its figure, and the space is behind both.
        const last = (figure.nextElementSibling ?? figure) as HTMLElement
        last.style.paddingRight = isAligned && most > behind ? `${most - behind}ch` : ''
      })
    })
  })
}
