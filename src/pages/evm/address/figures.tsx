import { useQuery } from '@tanstack/react-query'
import { addressOverviewQuery } from '../../../api/evm/addresses.ts'
import { nativeBalanceQuery } from '../../../api/tokens/balances.ts'
import { currency } from '../../../api/tokens/balances-currency.ts'
import { useOffers, useProfile } from '../../../api/current.ts'
import { Figures, type Figure } from '../../../components/figures.tsx'
import { inWords } from '../../../components/states.tsx'
import { useStore } from '../../../components/hooks.ts'
import { Link } from '../../../components/link.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { Fiat } from '../../../components/tokens/token-amount-fiat.tsx'
import { exactAmount, formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import type { Subject } from './activity.tsx'
import { listedTokens } from './listed-tokens.ts'

function useFigures({ address, chain }: Subject): Figure[] {
  const code = useStore(currency)
  const overview = useQuery(addressOverviewQuery(chain.chainId, address))
  const balance = useQuery(nativeBalanceQuery(chain.chainId, address, code))
  const priceLabel = useProfile()?.priceLabel
  const facts = overview.data
  const amount = balance.data?.balance ?? facts?.balance
  const worth = balance.data?.balanceValue

  const known = <T,>(value: T | undefined): T | null | undefined => (facts ? (value ?? null) : undefined)
  const tokens = facts && listedTokens(facts)
  // Of an address that no indexed block names while there are blocks to come, nothing is counted.
  const isUncounted = facts !== undefined && tokens === undefined
  const unindexed = 'not indexed yet'
  const isPruned = (facts?.logsFrom ?? facts?.tracesFrom) !== undefined
  const seen = (at: number | undefined, block: string | undefined): Partial<Figure> => ({
    value:
      facts && (at !== undefined ? <TimeAgo at={at} /> : isPruned || isUncounted ? null : inWords('never')),
    error: overview.error,
    note:
      block !== undefined ? (
        <Link to={paths.block(chain.chainId, block)} className="link">
          block {formatInteger(block)}
        </Link>
      ) : (
        facts &&
        (isUncounted
          ? unindexed
          : isPruned
            ? 'older rows are not kept'
            : at === undefined && 'in no indexed block')
      ),
  })
  return [
    {
      label: chain.symbol ? `Balance, ${chain.symbol}` : 'Balance',
      value:
        amount === undefined ? undefined : (
          <span title={`${exactAmount(amount, chain.decimals)} ${chain.symbol}`}>
            {formatAmount(amount, chain.decimals, 4)}
          </span>
        ),
      // The overview has the balance too.
      error: overview.isPending ? null : balance.error,
      note: worth !== undefined && (
        <>
          <Fiat money={worth} />
          {priceLabel !== undefined && `, ${priceLabel}`}
        </>
      ),
    },
    {
      label: 'ERC-20 tokens',
      value: known(tokens && formatInteger(tokens)),
      error: overview.error,
      note: isUncounted
        ? unindexed
        : facts?.spamErc20Count !== undefined && facts.spamErc20Count !== '0'
          ? `and ${formatInteger(facts.spamErc20Count)} hidden as spam`
          : 'held now',
    },
    {
      label: 'NFTs',
      value: known(facts?.nftCount && formatInteger(facts.nftCount)),
      error: overview.error,
      note: isUncounted ? unindexed : 'ERC-721 and ERC-1155',
    },
    { label: 'First seen', value: null, ...seen(facts?.firstTimestamp, facts?.firstBlock) },
    { label: 'Last seen', value: null, ...seen(facts?.lastTimestamp, facts?.lastBlock) },
  ]
}

/** The figures of an address: its balance, its tokens, and its first and last activity. */
export function HeadFigures(subject: Subject) {
  const figures = useFigures(subject)
  return useOffers('getAddressOverview') ? (
    <Figures figures={figures} />
  ) : (
    <Figures figures={figures.slice(0, 1)} />
  )
}
