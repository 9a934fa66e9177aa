import { useState } from 'react'
import type { SqlTables } from '../../api/sql/sql.ts'
import { Disclosure } from '../../components/disclosure.tsx'
import { Input } from '../../components/controls.tsx'

type Props = {
  tables: SqlTables['tables']
  /** The tables that are open, such as those of a statement with a mistake. */
  opened: readonly string[]
  /** Called with the name of a table or column to insert. */
  onPick: (name: string) => void
}

/** The tables by group, each folded over its columns; a search opens those with a match. A click on a name inserts it. */
export function SchemaList({ tables, opened, onPick }: Props) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted)
  const found = tables.filter(
    ({ name, columns }) => wanted === '' || fits(name) || columns.some((column) => fits(column.name)),
  )
  const groups = [...new Set(found.map(({ group }) => group))]
  return (
    <div className="flex flex-col gap-3">
      <Input
        type="search"
        aria-label="Find a table or column"
        placeholder="Find a table or column"
        className="h-7"
        value={text}
        onChange={setText}
      />
      {found.length === 0 && <p className="text-muted">No table or column has this name.</p>}
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h2 className="pb-1 text-xs text-muted">{group}</h2>
          {found
            .filter((table) => table.group === group)
            .map((table) => {
              const isOpen = opened.includes(table.name) || wanted !== ''
              return (
                <Disclosure
                  key={`${table.name} ${isOpen}`}
                  look="row"
                  open={isOpen}
                  summary={
                    <span className="font-mono text-mono" title={table.description}>
                      {table.name}
                    </span>
                  }
                >
                  <p className="py-1 text-xs text-muted">{table.description}</p>
                  <ul className="pb-1">
                    {table.columns
                      .filter(({ name }) => wanted === '' || fits(name) || fits(table.name))
                      .map((column) => (
                        <li key={column.name} className="flex min-w-0 items-baseline gap-2">
                          <button
                            type="button"
                            className="link truncate font-mono text-mono"
                            title={column.description || column.name}
                            onClick={() => onPick(column.name)}
                          >
                            {column.name}
                          </button>
                          <span className="ml-auto shrink-0 text-xs text-muted">
                            {column.type.toLowerCase()}
                          </span>
                        </li>
                      ))}
                  </ul>
                </Disclosure>
              )
            })}
        </section>
      ))}
    </div>
  )
}
