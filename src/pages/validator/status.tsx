import { StatusPill } from '../validators/status-pill.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Node } from './node.ts'

/** How a node's leading term stands. */
export function Status(node: Node) {
  const term = useLeadingTerm(node)
  return term ? <StatusPill status={term.validationStatus} /> : null
}
