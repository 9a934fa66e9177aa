import {
  nodeEndpoints,
  nodeMethods,
  type NodeEndpoint,
  type NodeMethod,
} from '../../contract/node/node-methods.ts'

/** What a name leads to: the method, and the name by which the node knows it. */
export type KnownMethod = { readonly facts: NodeMethod; readonly nodeName: string }

const byEndpoint = new Map<NodeEndpoint, Map<string, KnownMethod>>()
for (const facts of nodeMethods) {
  const known = byEndpoint.get(facts.endpoint) ?? new Map<string, KnownMethod>()
  byEndpoint.set(facts.endpoint, known)
  const nodeName = facts.nodeMethod ?? facts.method
  for (const name of [facts.method, nodeName]) known.set(name, { facts, nodeName })
}

/** Every kind of endpoint, for a path whose kind only the node knows. */
export const allEndpoints = Object.keys(nodeEndpoints) as NodeEndpoint[]

/** The method of this exact name at one of these endpoints; both namings of the API reference and of nodes. */
export function findMethod(endpoints: readonly NodeEndpoint[], name: string): KnownMethod | undefined {
  for (const endpoint of endpoints) {
    const known = byEndpoint.get(endpoint)?.get(name)
    if (known) return known
  }
  return undefined
}
