import type { SqlTables } from '../../api/sql/sql.ts'

type Table = Pick<SqlTables['tables'][number], 'name' | 'columns'>

/** What is wrong with a statement, for a person. */
type Explained = {
  /** A sentence; undefined if the engine's own words are all there is. */
  readonly text: string | undefined
  /** Columns or tables that may have been meant, the likeliest first. */
  readonly meant: readonly string[]
  /** The wrong part of the statement, as offsets in it. */
  readonly mark: { readonly from: number; readonly to: number } | undefined
  /** The tables that the statement is about. */
  readonly tables: readonly string[]
}

/** What other explorers and nodes call columns that have another name here. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  to: ['recipient'],
  to_address: ['recipient'],
  from: ['sender'],
  from_address: ['sender'],
  tx_hash: ['hash', 'transaction_hash'],
  transaction_hash: ['hash'],
  block: ['number', 'block_number', 'height'],
  block_number: ['number', 'height'],
  block_time: ['time'],
  block_timestamp: ['time'],
  timestamp: ['time'],
  amount: ['value'],
  success: ['status'],
}

/** The number of single changes between two words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1
      next.push(Math.min((next[to - 1] ?? 0) + 1, (row[to] ?? 0) + 1, (row[to - 1] ?? 0) + same))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** How unlike two names are, from 0: whole, or by their likest parts, as `tx_hsh` and `hash` are. */
function unlikeness(wrong: string, name: string): number {
  const relative = (left: string, right: string): number =>
    distance(left, right) / Math.max(left.length, right.length)
  const parts = wrong.split('_').filter((part) => part.length > 2)
  const likest = Math.min(
    1,
    ...parts.flatMap((part) => name.split('_').map((other) => relative(part, other) + 0.1)),
  )
  return Math.min(relative(wrong, name), likest)
}

const maxMeant = 3
const farthest = 0.5

/** The names that may have been meant by a wrong one. */
export function namesMeant(wrong: string, names: readonly string[]): string[] {
  const asked = wrong.toLowerCase()
  // A wrong name may be a synonym with a mistake: `tx_hsh` is nearly `tx_hash`.
  const known = Object.keys(synonyms)
    .filter((synonym) => distance(asked, synonym) <= Math.floor(synonym.length / 5))
    .flatMap((synonym) => synonyms[synonym] ?? [])
    .filter((name) => names.includes(name))
  const alike = names
    .map((name) => ({ name, far: unlikeness(asked, name.toLowerCase()) }))
    .filter(({ far }) => far <= farthest)
    .toSorted((left, right) => left.far - right.far)
    .map(({ name }) => name)
  return [...new Set([...known, ...alike])].slice(0, maxMeant)
}

/** The place of the caret that the engine puts below the line with the mistake. */
function markOf(message: string, sql: string): Explained['mark'] {
  const found = /LINE (\d+): (.*)\n( *)\^/.exec(message)
  const [whole, line = '', shown = '', caret = ''] = found ?? []
  if (whole === undefined) return undefined
  const lines = sql.split('\n')
  const start = lines.slice(0, Number(line) - 1).reduce((sum, text) => sum + text.length + 1, 0)
  const column = caret.length - `LINE ${line}: `.length
  // A long line is cut at its beginning: what is shown tells where.
  const text = lines[Number(line) - 1] ?? ''
  const plain = shown.replace(/^\.\.\./, '').replace(/\.\.\.$/, '')
  const cut = shown.startsWith('...') ? text.indexOf(plain) - 3 : 0
  const from = start + Math.max(0, column + Math.max(0, cut))
  if (from >= sql.length) return undefined
  const word = /^[\w."]+/.exec(sql.slice(from))?.[0] ?? sql[from] ?? ''
  return { from, to: from + Math.max(1, word.length) }
}

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`

/** What the engine's message means: the column or table that was meant, and where the mistake is. */
export function explainError(message: string, sql: string, tables: readonly Table[]): Explained {
  const mark = markOf(message, sql)
  const named = tables.filter(({ name }) => new RegExp(String.raw`\b${name}\b`, 'i').test(sql))
  const about = named.map(({ name }) => name)
  const column =
    /Referenced column "([^"]+)" not found/.exec(message)?.[1] ??
    /does not have a column named "([^"]+)"/.exec(message)?.[1]
  if (column !== undefined) {
    const meant = namesMeant(column, [
      ...new Set(named.flatMap(({ columns }) => columns.map(({ name }) => name))),
    ])
    const where = about.length === 0 ? '' : ` in ${list(about)}`
    return {
      text: `There is no column ${column}${where}.${meant.length > 0 ? ` Did you mean ${list(meant)}?` : ''}`,
      meant,
      mark,
      tables: about,
    }
  }
  const table = /Table with name (\S+) does not exist/.exec(message)?.[1]
  if (table !== undefined) {
    const meant = namesMeant(
      table,
      tables.map(({ name }) => name),
    )
    return {
      text: `There is no table ${table}.${meant.length > 0 ? ` Did you mean ${list(meant)}?` : ''}`,
      meant,
      mark,
      tables: meant.length > 0 ? meant : about,
    }
  }
  const near = /syntax error at or near "([^"]+)"/.exec(message)?.[1]
  if (near !== undefined) return { text: `Syntax error at “${near}”.`, meant: [], mark, tables: about }
  return { text: undefined, meant: [], mark, tables: about }
}
