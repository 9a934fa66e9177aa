import type { PagedRows } from '../../lib/paging.ts'
import { settings } from '../../lib/storage/settings.ts'
import { useStore } from '../hooks.ts'
import { ColumnsIcon } from '../icons.ts'
import { Menu } from '../overlays/menu.tsx'
import { hiddenIds, type Column } from './columns.ts'

type ColumnsProps<Row> = { id: string; columns: readonly Column<Row>[]; rows: PagedRows<Row> }

/** Shows and hides the columns of a table; the choice is stored in the browser under the table's id. */
export function ColumnMenu<Row>({ id, columns, rows }: ColumnsProps<Row>) {
  const chosen = useStore(settings, (all) => all.hiddenColumns[id])
  const hidden = hiddenIds(columns, chosen, rows)
  const toggle = (column: string, shown: boolean): void => {
    const next = new Set(hidden)
    if (shown) next.delete(column)
    else next.add(column)
    settings.set((now) => ({ ...now, hiddenColumns: { ...now.hiddenColumns, [id]: [...next] } }))
  }
  return (
    <Menu
      label="Columns"
      className="control control-small"
      entries={() =>
        columns.map((column) => ({
          kind: 'check',
          label: column.header,
          checked: !hidden.has(column.id),
          disabled: column.always ?? false,
          onChange: (shown) => toggle(column.id, shown),
        }))
      }
    >
      <ColumnsIcon size={14} />
      <span>Columns</span>
    </Menu>
  )
}
