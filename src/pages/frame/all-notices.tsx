import { useQuery } from '@tanstack/react-query'
import { statusQuery } from '../../api/chains.ts'
import {
  networkOf,
  useCurrentChain,
  useFollowed,
  useOffers,
  useProfile,
  type NetworkName,
} from '../../api/current.ts'
import { usePrimaryFollowed, usePrimaryStatus } from '../../api/network/overview.ts'
import { useZone } from '../../components/hooks.ts'
import { feedName, feedSentence } from '../../lib/feed-words.ts'
import { isFarBehind } from '../../lib/freshness.ts'
import { groupBy } from '../../lib/group-by.ts'
import { chainLabel, chainToName } from '../../lib/primary-chains.ts'
import { useFeed, useFeeds } from '../shared/use-feed.ts'
import { ChainNotice } from './chain-notice.tsx'

/** The chains of a service with their state; of one without a status, the reader's chain, by its newest block. */
function useStatuses() {
  const known = useProfile() !== undefined
  const offered = useOffers('listChainStatus')
  const { data } = useQuery({ ...statusQuery(), enabled: known && offered })
  const { chainId, chain } = useCurrentChain()
  const head = useFollowed(offered ? undefined : chainId)
  if (offered) return data ?? []
  return chain && head ? [{ ...head, chainId: chain.chainId, chainName: chain.chainName }] : []
}

/** Of every EVM chain that is not near its head: of those that one node serves, the reason is given once. */
function OfEvmChains() {
  const statuses = useStatuses()
  const zone = useZone()
  const { now, feed } = useFeeds()
  const late = statuses
    .map((status) => ({ status, feed: feed(status, status.chainId) }))
    .filter((one) => isFarBehind(one.feed))
  const alike = groupBy(
    late,
    (one) => `${feedName(one.feed)} ${feedSentence(one.feed, one.status, now, zone)}`,
  )
  return [...alike.values()].map((group) => {
    const [first] = group
    return (
      first && (
        <ChainNotice
          key={first.status.chainId}
          feed={first.feed}
          followed={first.status}
          names={group.map(({ status }) => status.chainName)}
          now={now}
        />
      )
    )
  })
}

/** Of the P-Chain of a network, or of one that has stopped. */
function OfPrimary({ network }: { network: NetworkName }) {
  const chain = chainToName(usePrimaryStatus(network) ?? [])
  const followed = usePrimaryFollowed(network, chain)
  const { feed, now } = useFeed(followed, `${network}/${chain}`)
  if (!isFarBehind(feed)) return null
  return <ChainNotice feed={feed} followed={followed} names={[chainLabel(chain) ?? chain]} now={now} />
}

/** Of every chain that the service follows. */
export function AllNotices() {
  const networks = (useProfile()?.networks ?? []).flatMap((each) => networkOf(each) ?? [])
  return (
    <>
      <OfEvmChains />
      {networks.map((network) => (
        <OfPrimary key={network} network={network} />
      ))}
    </>
  )
}
