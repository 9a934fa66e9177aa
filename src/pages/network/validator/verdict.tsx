import { useQuery } from '@tanstack/react-query'
import { useOffers } from '../../../api/current.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { outlookQuery } from '../../../api/watch/outlook.ts'
import { useZone } from '../../../components/hooks.ts'
import { VerdictLine } from '../../../components/verdict.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Node } from './node.ts'
import { verdictOf } from './verdict.ts'

/** Whether the validator is well: the answer that its page begins with. */
export function ValidatorVerdict(node: Node) {
  const zone = useZone()
  const { term, error } = useLeadingTerm(node)
  const hasOutlook = useOffers('getValidatorOutlook', node.network)
  const hasFeed = useOffers('getNodeFeed')
  const outlook = useQuery({
    ...outlookQuery(node.network, node.nodeId),
    enabled: hasOutlook && term?.validationStatus === 'active' && term.isIndexed !== false,
  })
  const feed = useQuery({ ...nodeFeedQuery(node.network, node.nodeId), enabled: hasFeed })
  if (term === null || (error && term === undefined)) return <VerdictLine verdict={null} />
  const isWaiting = term === undefined || outlook.isLoading || (hasFeed && feed.isLoading)
  return (
    <VerdictLine
      verdict={
        isWaiting
          ? undefined
          : verdictOf({ term, outlook: outlook.data, isConnected: feed.data?.isConnected, zone })
      }
    />
  )
}
