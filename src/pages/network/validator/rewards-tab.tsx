import { useMemo } from 'react'
import { Rewards } from '../../primary/address/rewards.tsx'
import type { Node } from './node.ts'

/** The rewards that a node earned for its stakers. */
export function RewardsTab({ network, nodeId }: Node) {
  const of = useMemo(() => ({ nodeId }), [nodeId])
  return <Rewards network={network} of={of} name={nodeId} />
}
