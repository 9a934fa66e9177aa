import { useQuery } from '@tanstack/react-query'
import { useOffers } from '../../../api/current.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { outlookQuery } from '../../../api/watch/outlook.ts'
import { useZone } from '../../../components/hooks.ts'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Node } from './node.ts'
import { verdictOf } from './verdict.ts'

/** Whether the validator is well: the answer that its page begins with. */
export function VerdictLine(node: Node) {
  const zone = useZone()
  const { term, error } = useLeadingTerm(node)
  const hasOutlook = useOffers('getValidatorOutlook', node.network)
  const hasFeed = useOffers('getNodeFeed')
  const outlook = useQuery({
    ...outlookQuery(node.network, node.nodeId),
    enabled: hasOutlook && term?.validationStatus === 'active',
  })
  const feed = useQuery({ ...nodeFeedQuery(node.network, node.nodeId), enabled: hasFeed })
  if (term === null || (error && term === undefined)) return null
  const isWaiting = term === undefined || outlook.isLoading || (hasFeed && feed.isLoading)
  if (isWaiting)
    return (
      <div className="min-h-7 pb-4 max-md:min-h-12">
        <SkeletonRows count={1} height={28} />
      </div>
    )
  const { state, word, text } = verdictOf({
    term,
    outlook: outlook.data,
    isConnected: feed.data?.isConnected,
    zone,
  })
  return (
    <p
      className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1 pb-4 max-md:min-h-12"
      aria-label="Verdict"
    >
      <Pill state={state}>{word}</Pill>
      <span className="min-w-0">{text}</span>
    </p>
  )
}
