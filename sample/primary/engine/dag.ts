import type { Random } from '../../kernel/random.ts'
import type { Vertex } from '../ledger.ts'

/** A node may be unaware of at most this many of the newest vertices. */
const recentVertices = 40
/** If more vertices than this have no children, they are merged. */
const widest = 4

/** The vertices without children. */
export function frontier(vertices: readonly Vertex[]): readonly Vertex[] {
  const recent = vertices.slice(-recentVertices)
  const parents = new Set(recent.flatMap((vertex) => vertex.parents))
  return recent.filter(({ id }) => !parents.has(id))
}

/** The height of a vertex with these parents. */
export function nextHeight(parents: readonly Vertex[]): number {
  return parents.length === 0 ? 0 : Math.max(...parents.map(({ height }) => height)) + 1
}

/**
 * The parents of the next vertex. Nodes receive vertices at different times, so the graph widens and merges
 * again.
 */
export function chooseParents(vertices: readonly Vertex[], random: Random): readonly Vertex[] {
  const open = frontier(vertices)
  if (open.length > widest || open.length === 0) return open
  const wanted = random.chance(0.45) ? Math.max(1, open.length - random.below(3)) : open.length
  const offset = random.below(open.length)
  const chosen = open.filter((_, index) => (index + open.length - offset) % open.length < wanted)
  if (!random.chance(0.3)) return chosen
  // A node that lags builds on their parents.
  const ids = new Set(chosen.flatMap(({ parents }) => parents))
  const older = vertices.slice(-recentVertices).filter(({ id }) => ids.has(id))
  return older.length === 0 ? chosen : older
}
