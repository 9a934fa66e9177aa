import { useQuery } from '@tanstack/react-query'
import { useChainFacts, useOffers } from '../../api/current.ts'
import { addressOverviewQuery } from '../../api/evm/addresses.ts'
import { nativeBalanceQuery } from '../../api/tokens/balances.ts'
import { currency } from '../../api/tokens/balances-currency.ts'
import { Address } from '../../components/address.tsx'
import { useStore } from '../../components/hooks.ts'
import type { Watched } from '../../lib/storage/watch-list.ts'
import { listedTokens } from '../evm/address/listed-tokens.ts'
import { count, field, figuresOf, type Values } from './figures-of.ts'
import { WatchedRow } from './watched-row.tsx'

/** A watched address of an EVM chain. */
export function AddressRow(entry: Watched) {
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
