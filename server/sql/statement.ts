/** A statement that is not run, with the reason for the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Table functions that read nothing but their arguments. */
const harmlessTables = new Set(['range', 'generate_series', 'unnest', 'json_each', 'json_tree'])

/** Functions of expressions that write to the engine's log, or say how the engine is set up. */
const refusedFunctions = new Set([
  'write_log',
  'current_setting',
  'getenv',
  'nextval',
  'currval',
  // It reads a statement in its argument like one of its own, which no check sees.
  'json_serialize_plan',
])
/** Functions that tell what the catalogue holds. */
const catalogueFunction = /^pg_get_/

type Node = Readonly<Record<string, unknown>>

/**
 * The tables that a statement names, of those that exist, from its tree as DuckDB's own parser gives it
 * (json_serialize_sql). Throws a Refusal unless it is one SELECT that reads nothing but these tables and what its WITH
 * clauses define where they are visible: the engine takes any other name for one of its catalogue, or for a file. The
 * engine's settings refuse files too; this refuses what they don't cover: functions such as enable_logging, which
 * writes a file during a SELECT, and query, whose text this check would not see.
 */
export function tablesOf(tree: unknown, known: ReadonlySet<string>): Set<string> {
  const named = new Set<string>()
  for (const { node, scope } of walk(tree)) {
    if (node['type'] === 'BASE_TABLE') {
      const { table, isQualified } = tableOf(node)
      if (!isQualified && isVisible(table, scope)) continue
      if (!known.has(table)) throw new Refusal(unknownTable(node, known))
      named.add(table)
    }
    if (node['type'] === 'TABLE_FUNCTION') {
      const name = functionOf(node['function'])
      if (!harmlessTables.has(name))
        throw new Refusal(`${name}() is not available; allowed in FROM: ${[...harmlessTables].join(', ')}`)
    }
    if (node['type'] === 'SHOW_REF' && !isNode(node['query']))
      throw new Refusal('only SELECT statements are run; GET /v1/sql/tables lists the tables')
    if (node['class'] === 'FUNCTION') {
      const name = functionOf(node)
      if (refusedFunctions.has(name) || catalogueFunction.test(name))
        throw new Refusal(`${name}() is not available`)
    }
  }
  return named
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** The names that WITH gives at a place of a statement: its own, and those of what it is part of. */
type Scope = { readonly name: string; readonly outer: Scope } | undefined

function isVisible(name: string, scope: Scope): boolean {
  for (let at = scope; at; at = at.outer) if (at.name === name) return true
  return false
}

type Place = { readonly node: Node; readonly scope: Scope }

/**
 * Every object of the tree with the names that are visible in it, by the rules of the engine's binder: an entry of
 * WITH is visible in later entries and in the query that the clause belongs to, with all that is nested in either; in
 * itself only if it is recursive, and then in its recursive part alone. Iterative, because an expression may be nested
 * deeply.
 */
function* walk(tree: unknown): Generator<Place> {
  const open: { readonly value: unknown; readonly scope: Scope }[] = [{ value: tree, scope: undefined }]
  while (open.length > 0) {
    const { value, scope } = open.pop() as (typeof open)[number]
    if (!isNode(value)) continue
    if (Array.isArray(value)) {
      for (const child of value) open.push({ value: child, scope })
      continue
    }
    yield { node: value, scope }
    let inner = scope
    for (const { key, query } of commonTables(value)) {
      open.push({ value: query, scope: inner })
      inner = { name: lowerCase(key), outer: inner }
    }
    const isRecursive = value['type'] === 'RECURSIVE_CTE_NODE' && typeof value['cte_name'] === 'string'
    for (const [field, child] of Object.entries(value)) {
      if (field === 'cte_map') continue
      const isSelf = isRecursive && field === 'right'
      open.push({
        value: child,
        scope: isSelf ? { name: lowerCase(String(value['cte_name'])), outer: inner } : inner,
      })
    }
  }
}

/** A name as the engine compares it: without regard to the case of ASCII letters, and of no others. */
const lowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

const functionOf = (value: unknown): string =>
  isNode(value) && typeof value['function_name'] === 'string' ? lowerCase(value['function_name']) : ''

/** The entries of a query's WITH, in their order. Throws a Refusal for a form that is not known here. */
function commonTables(node: Node): { key: string; query: unknown }[] {
  if (node['cte_map'] === undefined) return []
  const { map } = (isNode(node['cte_map']) ? node['cte_map'] : {}) as { map?: unknown }
  if (!Array.isArray(map)) throw new Refusal('the WITH of the statement cannot be read')
  return map.map((entry: unknown) => {
    const { key, value } = (isNode(entry) ? entry : {}) as { key?: unknown; value?: unknown }
    if (typeof key !== 'string') throw new Refusal('the WITH of the statement cannot be read')
    return { key, query: value }
  })
}

/**
 * The name of a table in lower case, with its schema unless that is `main`. Only a name without a schema may be one of
 * a WITH.
 */
function tableOf(node: Node): { readonly table: string; readonly isQualified: boolean } {
  const text = (name: string): string => lowerCase(String(node[name] ?? ''))
  const [catalog, schema] = [text('catalog_name'), text('schema_name')]
  const isMain = catalog === '' && (schema === '' || schema === 'main')
  const table = isMain ? text('table_name') : [catalog, schema, text('table_name')].join('.')
  return { table, isQualified: catalog !== '' || schema !== '' }
}

function unknownTable(node: Node, known: ReadonlySet<string>): string {
  return `there is no table "${tableOf(node).table.slice(0, 100)}"; there are: ${[...known].join(', ')}`
}
