import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { BalanceChange } from '../../../../contract/evm/transaction-changes.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { transactionChangesQuery } from '../../../api/evm/transactions.ts'
import { currency } from '../../../api/tokens/balances-currency.ts'
import { Address } from '../../../components/address.tsx'
import { useStore } from '../../../components/hooks.ts'
import { Link } from '../../../components/link.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Fiat } from '../../../components/tokens/token-amount-fiat.tsx'
import { nameOf, shortId, TokenAmount } from '../../../components/tokens/token-amount.tsx'
import { useAlignedDecimals } from '../../../components/table/aligned-decimals.ts'
import { dash } from '../../../components/table/column-kinds.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { plural, shorten } from '../../../lib/text.ts'
import { CurrencyMenu } from '../../shared/currency-menu.tsx'
import { Failed } from '../../shared/failed.tsx'
import { notKeptWords } from '../../shared/not-kept.tsx'
import { hasOtherChanges } from './changes.ts'

type Asset = BalanceChange['asset']

function AssetName({ asset, chainId }: { asset: Asset; chainId: string }) {
  const { address, tokenId } = asset
  if (address === undefined) return <span>{asset.symbol ?? 'Native token'}</span>
  const name = nameOf({ ...asset, address }) || shorten(address)
  return (
    <Link
      to={tokenId === undefined ? paths.token(chainId, address) : paths.nft(chainId, address, tokenId)}
      className="link min-w-0 truncate"
      title={address}
    >
      {name}
      {tokenId !== undefined && ` ${shortId(tokenId)}`}
    </Link>
  )
}

function Figure({ value, asset, signed }: { value: string | undefined; asset: Asset; signed?: boolean }) {
  if (value === undefined) return dash
  const { address = '', tokenId } = asset
  if (tokenId === undefined)
    return <TokenAmount value={value} token={{ ...asset, address }} signed={signed === true} />
  return (
    <span>
      {signed === true && !value.startsWith('-') && '+'}
      {formatInteger(value)}
    </span>
  )
}

const cell = 'max-md:block md:py-2 md:pl-4 text-right'

/** The name of a figure where the table has no head: under 768 px a row is a block of lines. */
function Label({ children }: { children: string }) {
  return <span className="text-xs text-muted md:hidden">{children} </span>
}

function Row({ row, chain, withBalances }: { row: BalanceChange; chain: ChainFacts; withBalances: boolean }) {
  const { asset, change, changeValue, balanceBefore, balanceAfter } = row
  return (
    <tr className="border-b border-line max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-1 max-md:py-2">
      <td className="min-w-0 max-md:block md:py-2 md:pr-4">
        <Address {...row.address} chainId={chain.chainId} />
      </td>
      <td className="min-w-0 truncate max-md:block max-md:text-right md:py-2 md:pr-4">
        <AssetName asset={asset} chainId={chain.chainId} />
      </td>
      <td className={`${cell} max-md:text-left`}>
        <Figure value={change} asset={asset} signed />
      </td>
      <td className={`${cell} text-muted`}>{changeValue && <Fiat money={changeValue} signed />}</td>
      {withBalances && (
        <>
          <td className={`${cell} max-md:text-left`}>
            <Label>Before</Label>
            <Figure value={balanceBefore} asset={asset} />
          </td>
          <td className={cell}>
            <Label>After</Label>
            <Figure value={balanceAfter} asset={asset} />
            {hasOtherChanges(row) && (
              <span title="Other transactions of this block changed this balance too">
                <span aria-hidden="true">*</span>
                <span className="sr-only"> (changed by other transactions of the block too)</span>
              </span>
            )}
          </td>
        </>
      )}
    </tr>
  )
}

const headings = ['Address', 'Asset', 'Change', 'Value']

/** What a transaction changed, by address and asset, with the balances around its block. */
export function ChangesTab({ txHash, chain }: { txHash: string; chain: ChainFacts }) {
  const chosen = useStore(currency)
  const table = useRef<HTMLTableElement>(null)
  useAlignedDecimals(table)
  const query = useQuery(transactionChangesQuery(chain.chainId, txHash, chosen))
  if (query.isPending) return <SkeletonRows count={8} />
  if (query.error) return <Failed title="The changes could not be loaded." query={query} />
  const { changes, omittedCount, isTraced, tracesFrom } = query.data
  const lacking = notKeptWords(query.data)
  if (changes.length === 0 && lacking === '')
    return <EmptyState title="No balance changed">The transaction moved nothing and paid no fee.</EmptyState>
  const withBalances = changes.some(({ balanceBefore, balanceAfter }) => balanceBefore ?? balanceAfter)
  const isKnown = changes.every(({ asset, balanceBefore }) => asset.kind !== 'NATIVE' || balanceBefore)
  const isShared = changes.some(hasOtherChanges)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted">
        <p className="max-w-[88ch]">
          A change is what the address received, less what it sent and paid in fees.
          {withBalances &&
            ` Before and after are its balances around this block${
              isShared ? ', and with * other transactions of the block changed them too' : ''
            }.`}
          {!isTraced &&
            tracesFrom === undefined &&
            ' This block is not traced, so what internal calls moved is missing.'}
          {lacking !== '' && ` ${lacking}`}
          {!isKnown && ` The node no longer keeps some of the ${chain.symbol} balances.`}
        </p>
        <CurrencyMenu />
      </div>
      <div className="md:overflow-x-auto">
        <table
          ref={table}
          className="w-full border-collapse max-md:block max-md:border-t max-md:border-line md:whitespace-nowrap"
          aria-label="Balance changes"
        >
          <thead className="text-xs text-muted max-md:sr-only">
            <tr className="border-b border-line">
              {[...headings, ...(withBalances ? ['Before', 'After'] : [])].map((text, index) => (
                <th
                  key={text}
                  scope="col"
                  className={`h-9 font-normal ${index < 2 ? 'pr-4 text-left' : 'pl-4 text-right'}`}
                >
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-md:block">
            {changes.map((row, index) => (
              <Row key={index} row={row} chain={chain} withBalances={withBalances} />
            ))}
          </tbody>
        </table>
      </div>
      {omittedCount > 0 && (
        <p className="text-muted">
          {formatInteger(omittedCount)} further {plural(omittedCount, 'change')} not shown
        </p>
      )}
    </div>
  )
}
