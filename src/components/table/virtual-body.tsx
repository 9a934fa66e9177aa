import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { TableRow, type BodyProps } from './rows.tsx'

/** Renders only the rows near the viewport, between two spacers of the height of all others. */
export function VirtualBody<Row>({ rows, columns, rowKey, height, narrow, active }: BodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (body.current) setOffset(body.current.getBoundingClientRect().top + scrollY)
  }, [narrow])
  // This rule is for the React compiler, which is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: rows.count,
    estimateSize: () => height,
    overscan: 14,
    scrollMargin: offset,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height])
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const before = first ? first.start - offset : 0
  // Before the window is measured no row is rendered; the spacer has the full height for a restored scroll position.
  const after = virtualizer.getTotalSize() - (last ? last.end - offset : 0)
  return (
    <tbody ref={body}>
      {before > 0 && <tr aria-hidden="true" style={{ height: before }} />}
      {items.map(({ index }) => {
        const row = rows.at(index)
        return row === undefined ? null : (
          <TableRow
            key={rowKey(row)}
            row={row}
            index={index}
            columns={columns}
            height={height}
            narrow={narrow}
            active={index === active}
          />
        )
      })}
      {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
    </tbody>
  )
}
