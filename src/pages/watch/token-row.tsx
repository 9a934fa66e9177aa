import { decimalsOf } from '../../../protocol/evm/token-units.ts'
import { useQuery } from '@tanstack/react-query'
import { useChainFacts } from '../../api/current.ts'
import { currency } from '../../api/tokens/balances-currency.ts'
import { tokenQuery } from '../../api/tokens/tokens.ts'
import { useStore } from '../../components/hooks.ts'
import { TokenName } from '../../components/tokens/token-name.tsx'
import type { Watched } from '../../lib/storage/watch-list.ts'
import { count, field, figuresOf } from './figures-of.ts'
import { WatchedRow } from './watched-row.tsx'

/** A watched token. */
export function TokenRow(entry: Watched) {
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
