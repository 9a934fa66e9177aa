import { useQueries } from '@tanstack/react-query'
import { primaryBalancesQuery } from '../../api/primary/address.ts'
import { WalletAddress } from '../../components/wallet-address.tsx'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import { useAvaxId } from '../primary/address/balances/avax.ts'
import { bucketRows, totalOf } from '../primary/address/balances/buckets.ts'
import { useNetworkLabel } from '../shared/network-crumb.tsx'
import { avax, field, figuresOf, type OnNetwork } from './figures-of.ts'
import { WatchedRow } from './watched-row.tsx'

/** A watched address of the P- and X-Chain. */
export function WalletRow({ entry, network }: OnNetwork) {
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
