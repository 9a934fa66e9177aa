import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOverviewQuery } from '../../api/addresses.ts'
import { nativeBalanceQuery } from '../../api/balances.ts'
import { currency } from '../../api/balances-currency.ts'
import { useOffers, useProfile } from '../../api/current.ts'
import { Figures, type Figure } from '../../components/figures.tsx'
import { useStore } from '../../components/hooks.ts'
import { CheckIcon } from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { Pill } from '../../components/pill.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { Fiat } from '../../components/token-amount-fiat.tsx'
import { exactAmount, formatAmount, formatInteger } from '../../lib/amounts.ts'
import { setLabel } from '../../lib/labels.ts'
import { paths } from '../../paths.ts'
import type { Subject } from './activity.tsx'
import { holds, toggleWatched, watched } from './watched.ts'

/** Names an address for this browser only. */
export function LabelForm({ address, label }: { address: string; label: string }) {
  const [text, setText] = useState(label)
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        setLabel(address, text)
      }}
    >
      <input
        className="field w-40 md:w-52"
        aria-label="Name of this address"
        placeholder="Private label"
        title="Kept in this browser, never sent"
        maxLength={64}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="control" disabled={text.trim() === label}>
        {label && text.trim() === '' ? 'Remove' : 'Keep'}
      </button>
    </form>
  )
}

/** Puts the address on the watch list of this browser. */
export function WatchButton({ address, chain }: Subject) {
  const on = useStore(watched, (list) => holds(list, chain.chainId, address))
  return (
    <button
      type="button"
      className="control"
      aria-pressed={on}
      title="The watch list is kept in this browser, on the page Addresses"
      onClick={() => toggleWatched(chain.chainId, address)}
    >
      {on && <CheckIcon size={14} />}
      Watch
    </button>
  )
}

/** What an address is, in a word or two. */
export function Kind({ address, chain }: Subject) {
  const { data } = useQuery(addressOverviewQuery(chain.chainId, address))
  if (!data) return null
  const { tokenType, isContract } = data
  return (
    <>
      <Pill state="neutral">{isContract ? 'Contract' : 'Account'}</Pill>
      {tokenType !== undefined && tokenType !== 'UNKNOWN' && (
        <Link to={paths.token(chain.chainId, address)} className="link text-sm">
          {tokenType} token
        </Link>
      )}
    </>
  )
}

function useFigures({ address, chain }: Subject): Figure[] {
  const code = useStore(currency)
  const overview = useQuery(addressOverviewQuery(chain.chainId, address))
  const balance = useQuery(nativeBalanceQuery(chain.chainId, address, code))
  const priceLabel = useProfile()?.priceLabel
  const facts = overview.data
  const failed = overview.isError
  const amount = balance.data?.balance ?? facts?.balance
  const worth = balance.data?.balanceValue
  const waiting = balance.isPending || (balance.isError && overview.isPending)

  const known = <T,>(value: T | undefined): T | null | undefined =>
    facts ? (value ?? null) : failed ? null : undefined
  const seen = (at: number | undefined, block: string | undefined): Partial<Figure> => ({
    value: known(at === undefined ? undefined : <TimeAgo at={at} />),
    note: block !== undefined && (
      <Link to={paths.block(chain.chainId, block)} className="link">
        block {formatInteger(block)}
      </Link>
    ),
  })
  return [
    {
      label: chain.symbol ? `Balance, ${chain.symbol}` : 'Balance',
      value:
        amount === undefined ? (
          waiting ? undefined : null
        ) : (
          <span className="truncate" title={`${exactAmount(amount, chain.decimals)} ${chain.symbol}`}>
            {formatAmount(amount, chain.decimals, 4)}
          </span>
        ),
      note:
        worth !== undefined ? (
          <>
            <Fiat money={worth} />
            {priceLabel !== undefined && `, ${priceLabel}`}
          </>
        ) : (
          amount === undefined && !waiting && 'the node does not answer'
        ),
    },
    { label: 'ERC-20 tokens', value: known(facts && formatInteger(facts.erc20Count)), note: 'held now' },
    { label: 'NFTs', value: known(facts && formatInteger(facts.nftCount)), note: 'ERC-721 and ERC-1155' },
    { label: 'First seen', value: null, ...seen(facts?.firstTimestamp, facts?.firstBlock) },
    { label: 'Last seen', value: null, ...seen(facts?.lastTimestamp, facts?.lastBlock) },
  ]
}

/** The figures of an address: what it has, how much it holds, and when it was seen. */
export function HeadFigures(subject: Subject) {
  const figures = useFigures(subject)
  return useOffers('getAddressOverview') ? (
    <Figures figures={figures} />
  ) : (
    <Figures figures={figures.slice(0, 1)} />
  )
}
