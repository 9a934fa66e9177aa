import { decimalsOf } from '../../../protocol/evm/token-units.ts'
import type { ReactNode } from 'react'
import { networkOf, useChainFacts, useOffers } from '../../api/current.ts'
import { Boundary } from '../../components/part.tsx'
import type { Watched } from '../../lib/storage/watch-list.ts'
import { useQuery, useQueries, useInfiniteQuery } from '@tanstack/react-query'
import { addressOverviewQuery } from '../../api/evm/addresses.ts'
import { nativeBalanceQuery } from '../../api/tokens/balances.ts'
import { currency } from '../../api/tokens/balances-currency.ts'
import { Address } from '../../components/address.tsx'
import { useStore } from '../../components/hooks.ts'
import { listedTokens } from '../evm/address/listed-tokens.ts'
import { count, field, figuresOf, type Values, avax, type OnNetwork, word } from './figures-of.ts'
import { WatchedRow } from './watched-row.tsx'
import { primaryBalancesQuery } from '../../api/primary/address.ts'
import { WalletAddress } from '../../components/wallet-address.tsx'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import { useAvaxId } from '../primary/address/balances/avax.ts'
import { bucketRows, totalOf } from '../primary/address/balances/buckets.ts'
import { useNetworkLabel } from '../shared/network-crumb.tsx'
import { nodeFeedQuery } from '../../api/network/staking.ts'
import { validationsQuery, l1ValidatorQuery } from '../../api/network/validators.ts'
import { NodeId } from '../../components/node-id.tsx'
import { leadingTerm } from '../network/validator/leading-term.ts'
import { Hash } from '../../components/hash.tsx'
import { paths } from '../../lib/paths.ts'
import { l1State } from '../network/l1-validators/l1-state.ts'
import { tokenQuery } from '../../api/tokens/tokens.ts'
import { TokenName } from '../../components/tokens/token-name.tsx'

function Row(entry: Watched) {
  const network = networkOf(entry.place)
  if (entry.kind === 'address') return <AddressRow {...entry} />
  if (entry.kind === 'token') return <TokenRow {...entry} />
  if (network === undefined) return null
  if (entry.kind === 'wallet') return <WalletRow entry={entry} network={network} />
  if (entry.kind === 'validator') return <ValidatorRow entry={entry} network={network} />
  return <L1ValidatorRow entry={entry} network={network} />
}

/** A row of the watch list, with the figures of its kind. */
export function RowOfKind(entry: Watched): ReactNode {
  return (
    <li className="border-b border-line py-2">
      <Boundary title="This row">
        <Row {...entry} />
      </Boundary>
    </li>
  )
}

/** A watched address of an EVM chain. */
function AddressRow(entry: Watched) {
  const { place: chainId, id: address } = entry
  const chain = useChainFacts(chainId)
  const code = useStore(currency)
  const known = useOffers('getAddressOverview')
  const balance = useQuery(nativeBalanceQuery(chainId, address, code))
  const overview = useQuery({ ...addressOverviewQuery(chainId, address), enabled: known })
  const values: Values = [
    [{ kind: 'amount', decimals: chain.decimals }, balance.data?.balance],
    [count, field(overview.data, listedTokens)],
    [count, field(overview.data, ({ nftCount }) => nftCount)],
    [{ kind: 'time' }, field(overview.data, ({ lastTimestamp }) => lastTimestamp?.toString())],
  ]
  return (
    <WatchedRow
      entry={entry}
      name={<Address address={address} chainId={chainId} beside />}
      place={chain.symbol === '' ? chain.name : `${chain.name}, ${chain.symbol}`}
      figures={figuresOf('address', known ? values : values.slice(0, 1))}
      answers={known ? [balance, overview] : [balance]}
    />
  )
}

/** A watched address of the P- and X-Chain. */
function WalletRow({ entry, network }: OnNetwork) {
  const owners = [entry.id]
  const avaxId = useAvaxId(network)
  const balances = useQueries({
    queries: primaryChainAliases.map((chain) => primaryBalancesQuery(network, chain, owners, undefined)),
  })
  const [p, x, c] = balances.map(({ data }) => data)
  const rows =
    p && x && c && avaxId.id !== undefined
      ? bucketRows({ 'p-chain': p, 'x-chain': x, 'c-chain': c }, avaxId.id)
      : undefined
  const sum = (...ids: readonly string[]) =>
    field(rows, (all) => totalOf(all.filter(({ id }) => ids.includes(id))).toString())
  return (
    <WatchedRow
      entry={entry}
      name={<WalletAddress address={entry.id} network={network} />}
      place={useNetworkLabel(network)}
      figures={figuresOf('wallet', [
        [avax, field(rows, (all) => totalOf(all).toString())],
        [avax, sum('unlockedUnstaked')],
        [avax, sum('unlockedStaked', 'lockedStaked', 'pendingStaked')],
        [avax, sum('lockedPlatform', 'lockedStakeable')],
      ])}
      answers={avaxId.failed ? [...balances, { error: avaxId.failed.error, dataUpdatedAt: 0 }] : balances}
    />
  )
}

/** A watched validator of the primary network. */
function ValidatorRow({ entry, network }: OnNetwork) {
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

/** A watched validator of an L1. */
function L1ValidatorRow({ entry, network }: OnNetwork) {
  const query = useQuery(l1ValidatorQuery(network, entry.id))
  const { data } = query
  return (
    <WatchedRow
      entry={entry}
      name={<Hash value={entry.id} name="validation ID" to={paths.l1Validator(network, entry.id)} />}
      place={useNetworkLabel(network)}
      figures={figuresOf('l1Validator', [
        [word, field(data, (one) => (one ? l1State(one) : 'not found'))],
        [count, field(data, (one) => one?.weight.toString())],
        // The fee takes from it all the time.
        [{ ...avax, falls: true }, field(data, (one) => one?.remainingBalance.toString())],
      ])}
      answers={[query]}
    />
  )
}

/** A watched token. */
function TokenRow(entry: Watched) {
  const { place: chainId, id: address } = entry
  const chain = useChainFacts(chainId)
  const query = useQuery(tokenQuery(chainId, address, useStore(currency), undefined))
  const { data } = query
  return (
    <WatchedRow
      entry={entry}
      name={<TokenName address={address} chainId={chainId} name={data?.name} symbol={data?.symbol} />}
      place={chain.name}
      figures={figuresOf('token', [
        [{ kind: 'amount', decimals: data && decimalsOf(data) }, field(data, ({ supply }) => supply)],
        [count, field(data, ({ holderCount }) => holderCount)],
        [count, field(data, ({ transferCount }) => transferCount)],
      ])}
      answers={[query]}
    />
  )
}
