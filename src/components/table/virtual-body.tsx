import { useAlignedDecimals } from './aligned-decimals.ts'
import { rowAt, type BodyProps } from './rows.tsx'
import { useWindowItems } from './use-window-items.ts'

/** Renders only the rows near the viewport, between two spacers of the height of all others. */
export function VirtualBody<Row>(props: BodyProps<Row>) {
  const { list, items, before, after } = useWindowItems<HTMLTableSectionElement>({
    count: props.rows.count,
    height: props.height,
  })
  useAlignedDecimals(list)
  return (
    <tbody ref={list}>
      {before > 0 && <tr aria-hidden="true" style={{ height: before }} />}
      {items.map(({ index }) => rowAt(props, index))}
      {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
    </tbody>
  )
}
