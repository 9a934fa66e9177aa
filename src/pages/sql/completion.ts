import type { SqlTables } from '../../api/sql/sql.ts'

/** What may be typed: a table, a column with its table, or a keyword. */
export type Word = { readonly text: string; readonly about: string }

const keywords = [
  'select',
  'from',
  'where',
  'group by',
  'order by',
  'limit',
  'having',
  'join',
  'left join',
  'using',
  'with',
  'between',
  'like',
  'is null',
  'distinct',
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'quantile_cont',
  'date_trunc',
  'case when',
  'then',
  'else',
  'end',
  'union all',
  'desc',
  'filter',
  'over',
  'partition by',
  'row_number',
  'coalesce',
  'try_cast',
].map((text): Word => ({ text, about: 'keyword' }))

const most = 8

/** The word before the caret: what a completion replaces. */
export function wordBefore(sql: string, caret: number): string {
  return /[a-z_]\w*$/i.exec(sql.slice(0, caret))?.[0] ?? ''
}

/**
 * What the word before the caret may become: columns of the tables that the statement names first, then tables, then
 * keywords. None inside a quoted text, and none for a word that is complete.
 */
export function completions(tables: SqlTables['tables'], sql: string, caret: number): Word[] {
  const before = sql.slice(0, caret)
  const word = wordBefore(sql, caret).toLowerCase()
  if (word === '' || before.split("'").length % 2 === 0) return []
  const named = tables.filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(sql))
  const words = [
    ...named.flatMap(({ name, columns }) =>
      columns.map((column): Word => ({ text: column.name, about: `${column.type} of ${name}` })),
    ),
    ...tables.map(({ name }): Word => ({ text: name, about: 'table' })),
    ...keywords,
  ]
  const found = new Map<string, Word>()
  for (const each of words)
    if (each.text.startsWith(word) && each.text !== word && !found.has(each.text)) found.set(each.text, each)
  return [...found.values()].slice(0, most)
}
