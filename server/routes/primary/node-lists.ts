import type { Operation } from '../../../contract/base/operation.ts'
import { openList, type Page } from '../../http/keyset-list.ts'
import { filtersOf, type RouteContext } from '../../http/route-context.ts'
import { HttpError } from '../../kernel/http-errors.ts'
import { ifKnown } from '../../node/state.ts'
import type { Nodes } from '../../node/nodes.ts'
import type { NetworkView } from './context.ts'
import { isChainBehind } from './behind.ts'

/** The most rows of one page of what a node tells whole, or of which it is asked for each alone. */
const maxRows = 128

/** How many lists are kept for their further pages, and for how many seconds. */
const maxKept = 16
const keptSeconds = 300

type KeptList = { readonly rows: readonly unknown[]; readonly until: number }

/** The lists that nodes have told, by operation and filters, oldest first. */
const keptLists = new WeakMap<Nodes, Map<string, KeptList>>()

type PageQuery = { readonly pageToken?: string | undefined; readonly pageSize: number }

/**
 * A page of rows that the node tells whole, while the index of a chain is behind; undefined if the index is to answer. A list
 * continues as it began: its page tokens are not those of the index, and its further pages are of the rows that the first one
 * asked for, for a few minutes. Throws NodeUnavailable on a further page.
 */
export async function pageOfNode<Row>(
  context: RouteContext,
  operation: Operation,
  view: NetworkView,
  chain: number,
  query: PageQuery,
  ask: () => Promise<readonly Row[] | undefined>,
): Promise<Page<Row> | undefined> {
  const open = () => openList(context, operation, { from: 'number' }, { chain }, query)
  const isFirst = query.pageToken === undefined
  if (isFirst ? !isChainBehind(view, chain) : !opens(open)) return undefined
  const key = JSON.stringify([operation.id, filtersOf({ chain }, query)])
  const all = isFirst
    ? await ifKnown(askAndKeep(context, key, ask))
    : // The key has all that the rows depend on, so they are what `ask` tells.
      ((keptRows(context, key) as readonly Row[] | undefined) ?? (await askAndKeep(context, key, ask)))
  if (!all) return undefined
  return open().walk({ from: 0 }, ({ from }, pageSize) => {
    const end = from + Math.min(pageSize, maxRows)
    const next = end < all.length ? { from: end } : undefined
    return Promise.resolve({ rows: all.slice(from, end), next })
  })
}

function keptRows({ nodes, clock }: RouteContext, key: string): readonly unknown[] | undefined {
  const kept = keptLists.get(nodes)?.get(key)
  return kept && kept.until > clock() ? kept.rows : undefined
}

async function askAndKeep<Row>(
  { nodes, clock }: RouteContext,
  key: string,
  ask: () => Promise<readonly Row[] | undefined>,
): Promise<readonly Row[] | undefined> {
  const rows = await ask()
  const lists = keptLists.get(nodes) ?? new Map<string, KeptList>()
  keptLists.set(nodes, lists)
  lists.delete(key)
  // A list of one page has no further one.
  if (rows && rows.length > 1) lists.set(key, { rows, until: clock() + keptSeconds })
  for (const oldest of lists.keys()) if (lists.size > maxKept) lists.delete(oldest)
  return rows
}

/** Whether a page token is of this list. */
function opens(open: () => unknown): boolean {
  try {
    open()
    return true
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) return false
    throw error
  }
}
