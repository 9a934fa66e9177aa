import { useMemo } from 'react'
import { Rewards } from '../../primary/address/rewards.tsx'
import type { Node } from './node.ts'

/** What a node earned for those who staked there. */
export function RewardsTab({ network, nodeId }: Node) {
  const of = useMemo(() => ({ nodeId }), [nodeId])
  return <Rewards network={network} of={of} name={nodeId} />
}
