import type { Random } from '../../kernel/random.ts'
import type { Vertex } from '../ledger.ts'

/** How far back a node may not have heard of the newest vertices. */
const recentVertices = 40
/** More open ends than this are joined at once. */
const widest = 4

/** The vertices that nobody builds on yet. */
export function frontier(vertices: readonly Vertex[]): readonly Vertex[] {
  const recent = vertices.slice(-recentVertices)
  const parents = new Set(recent.flatMap((vertex) => vertex.parents))
  return recent.filter(({ id }) => !parents.has(id))
}

/** The height of a vertex with these parents. */
export function nextHeight(parents: readonly Vertex[]): number {
  return parents.length === 0 ? 0 : Math.max(...parents.map(({ height }) => height)) + 1
}

/** What the next vertex builds on. Nodes hear of vertices at different times, so the graph widens and joins again. */
export function chooseParents(vertices: readonly Vertex[], random: Random): readonly Vertex[] {
  const open = frontier(vertices)
  if (open.length > widest || open.length === 0) return open
  const wanted = random.chance(0.45) ? Math.max(1, open.length - random.below(3)) : open.length
  const offset = random.below(open.length)
  const chosen = open.filter((_, index) => (index + open.length - offset) % open.length < wanted)
  if (!random.chance(0.3)) return chosen
  // A node that lags behind builds on the parents of those.
  const ids = new Set(chosen.flatMap(({ parents }) => parents))
  const older = vertices.slice(-recentVertices).filter(({ id }) => ids.has(id))
  return older.length === 0 ? chosen : older
}
