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
  'pg_get_viewdef',
])

type Node = Readonly<Record<string, unknown>>

/**
 * The tables that a statement names, of those that exist, from its tree as DuckDB's own parser gives it
 * (json_serialize_sql). Throws a Refusal unless it is one SELECT that reads nothing but these tables. The engine's
 * settings refuse files too; this refuses what they don't cover: functions such as enable_logging, which writes a file
 * during a SELECT, and query, whose text this check would not see.
 */
export function tablesOf(tree: unknown, known: ReadonlySet<string>): Set<string> {
  const nodes = [...walk(tree)]
  const defined = new Set(nodes.flatMap(commonTables))
  const named = new Set<string>()
  for (const node of nodes) {
    if (node['type'] === 'BASE_TABLE') {
      const table = tableOf(node)
      if (known.has(table)) named.add(table)
      else if (!defined.has(table)) throw new Refusal(unknownTable(node, known))
    }
    if (node['type'] === 'TABLE_FUNCTION') {
      const name = functionOf(node['function'])
      if (!harmlessTables.has(name))
        throw new Refusal(`${name}() is not available; allowed in FROM: ${[...harmlessTables].join(', ')}`)
    }
    if (node['type'] === 'SHOW_REF' && !isNode(node['query']))
      throw new Refusal('only SELECT statements are run; GET /v1/sql/tables lists the tables')
    if (node['class'] === 'FUNCTION' && refusedFunctions.has(functionOf(node)))
      throw new Refusal(`${functionOf(node)}() is not available`)
  }
  return named
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every object of the tree; iterative, because an expression may be nested deeply. */
function* walk(tree: unknown): Generator<Node> {
  const open: unknown[] = [tree]
  while (open.length > 0) {
    const value = open.pop()
    if (!isNode(value)) continue
    if (!Array.isArray(value)) yield value
    for (const child of Object.values(value)) open.push(child)
  }
}

const functionOf = (value: unknown): string =>
  isNode(value) && typeof value['function_name'] === 'string' ? value['function_name'].toLowerCase() : ''

/** The names that WITH gives, in lower case. */
function commonTables(node: Node): string[] {
  const { map } = (isNode(node['cte_map']) ? node['cte_map'] : {}) as { map?: unknown }
  const entries = Array.isArray(map) ? (map as { key?: unknown }[]) : []
  return entries.flatMap(({ key }) => (typeof key === 'string' ? [key.toLowerCase()] : []))
}

/** The name of a table, in lower case as the engine compares it, with its schema unless that is `main`. */
function tableOf(node: Node): string {
  const text = (name: string): string => String(node[name] ?? '').toLowerCase()
  const schema = [text('catalog_name'), text('schema_name')].filter((part) => part !== '' && part !== 'main')
  return [...schema, text('table_name')].join('.')
}

function unknownTable(node: Node, known: ReadonlySet<string>): string {
  return `there is no table "${tableOf(node).slice(0, 100)}"; there are: ${[...known].join(', ')}`
}
