import type { SqlTables } from '../../api/sql/sql.ts'

type Props = {
  tables: SqlTables['tables']
  /** Called with the name of a table or column to insert. */
  onPick: (name: string) => void
}

/** The tables by group, each folded over its columns. A click on a name puts it into the statement. */
export function SchemaList({ tables, onPick }: Props) {
  const groups = [...new Set(tables.map(({ group }) => group))]
  return (
    <div className="flex flex-col gap-3">
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h3 className="pb-1 text-xs text-muted">{group}</h3>
          {tables
            .filter((table) => table.group === group)
            .map((table) => (
              <details key={table.name} className="border-t border-line py-1">
                <summary className="cursor-pointer font-mono text-mono" title={table.description}>
                  {table.name}
                </summary>
                <p className="py-1 text-xs text-muted">{table.description}</p>
                <ul>
                  {table.columns.map((column) => (
                    <li key={column.name} className="flex min-w-0 items-baseline gap-2">
                      <button
                        type="button"
                        className="link truncate font-mono text-mono"
                        title={column.description || column.name}
                        onClick={() => onPick(column.name)}
                      >
                        {column.name}
                      </button>
                      <span className="ml-auto shrink-0 text-xs text-muted">{column.type.toLowerCase()}</span>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
        </section>
      ))}
    </div>
  )
}
