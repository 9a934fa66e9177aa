import { nodeMethods, type NodeMethod } from '../../../../contract/node/node-methods.ts'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { nameOn } from '../../../api/node/node-request.ts'

/** The methods whose name contains the typed text; those with a matching prefix come first. */
export function matches(typed: string, names: NodeTarget['names'], max: number): NodeMethod[] {
  const wanted = typed.toLowerCase()
  const rank = (method: NodeMethod): number => {
    const name = nameOn(method, names).toLowerCase()
    if (name.startsWith(wanted)) return 0
    if (name.slice(method.namespace.length + 1).startsWith(wanted)) return 1
    if (name.includes(wanted)) return 2
    return method.summary.toLowerCase().includes(wanted) ? 3 : 4
  }
  return nodeMethods
    .map((method) => ({ method, place: rank(method) }))
    .filter(({ place }) => place < 4)
    .toSorted((a, b) => a.place - b.place)
    .slice(0, max)
    .map(({ method }) => method)
}
