import { useMemo } from 'react'
import { L1List } from '../l1-validators/list.tsx'
import type { Node } from './node.ts'

/** The L1 validations of a node, including ended ones. */
export function L1Tab({ network, nodeId }: Node) {
  const filters = useMemo(() => ({ nodeId, includeInactiveL1Validators: true }), [nodeId])
  return <L1List network={network} filters={filters} none="No L1 has registered this node as a validator." />
}
