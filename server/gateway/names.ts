import {
  nodeEndpoints,
  nodeMethods,
  type NodeEndpoint,
  type NodeMethod,
} from '../../contract/node/node-methods.ts'

/** A resolved method name: the method of the catalogue, and the name that the node knows. */
export type KnownMethod = { readonly facts: NodeMethod; readonly nodeName: string }

const byEndpoint = new Map<NodeEndpoint, Map<string, KnownMethod>>()
for (const facts of nodeMethods) {
  const known = byEndpoint.get(facts.endpoint) ?? new Map<string, KnownMethod>()
  byEndpoint.set(facts.endpoint, known)
  const nodeName = facts.nodeMethod ?? facts.method
  for (const name of [facts.method, nodeName]) known.set(name, { facts, nodeName })
}

/** All kinds of endpoint, for a path whose kind only the node knows. */
export const allEndpoints = Object.keys(nodeEndpoints) as NodeEndpoint[]

/** The method with this exact name at one of these endpoints, by the API reference's name or the node's. */
export function findMethod(endpoints: readonly NodeEndpoint[], name: string): KnownMethod | undefined {
  for (const endpoint of endpoints) {
    const known = byEndpoint.get(endpoint)?.get(name)
    if (known) return known
  }
  return undefined
}
