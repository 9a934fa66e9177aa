import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useOffers } from '../../api/current.ts'
import { nodeFeedQuery } from '../../api/network/staking.ts'
import { validationsQuery } from '../../api/network/validators.ts'
import { NodeId } from '../../components/node-id.tsx'
import { leadingTerm } from '../network/validator/leading-term.ts'
import { useNetworkLabel } from '../shared/network-crumb.tsx'
import { avax, field, figuresOf, word, type OnNetwork } from './figures-of.ts'
import { WatchedRow } from './watched-row.tsx'

/** A watched validator of the primary network. */
export function ValidatorRow({ entry, network }: OnNetwork) {
  // Only a Ridgeline service has the feeds; others have the terms of the node.
  const hasFeed = useOffers('getNodeFeed')
  const feed = useQuery({ ...nodeFeedQuery(network, entry.id), enabled: hasFeed })
  const terms = useInfiniteQuery({ ...validationsQuery(network, entry.id), enabled: !hasFeed })
  const term = terms.data && (leadingTerm(terms.data.pages.flatMap((page) => page.validators)) ?? {})
  const facts: Partial<NonNullable<typeof feed.data>> | undefined = hasFeed ? feed.data : term
  return (
    <WatchedRow
      entry={entry}
      name={<NodeId nodeId={entry.id} network={network} />}
      place={useNetworkLabel(network)}
      figures={figuresOf('validator', [
        [word, field(facts, ({ validationStatus }) => validationStatus ?? 'no validator')],
        [avax, field(facts, ({ amountStaked }) => amountStaked)],
        [avax, field(facts, ({ amountDelegated }) => amountDelegated)],
        [{ kind: 'percent' }, field(facts, ({ uptimePerformance }) => uptimePerformance?.toString())],
      ])}
      answers={[hasFeed ? feed : terms]}
    />
  )
}
