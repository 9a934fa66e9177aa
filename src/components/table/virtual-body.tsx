import { TableRow, type BodyProps } from './rows.tsx'
import { useWindowItems } from './use-window-items.ts'

/** Renders only the rows near the viewport, between two spacers of the height of all others. */
export function VirtualBody<Row>({ rows, columns, rowKey, height, narrow, active }: BodyProps<Row>) {
  const { list, items, before, after } = useWindowItems<HTMLTableSectionElement>({
    count: rows.count,
    height,
  })
  return (
    <tbody ref={list}>
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
