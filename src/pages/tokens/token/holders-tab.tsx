import { useMemo } from 'react'
import type { TokenHolder } from '../../../../contract/tokens/tokens.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { type TokenDetails, kindOf, tokenHoldersQuery } from '../../../api/tokens/tokens.ts'
import { Party } from '../../../components/party.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { column, dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { plainTokenAmount, symbolOf, TokenAmount } from '../../../components/tokens/token-amount.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { PagedTable } from '../../shared/paged-table.tsx'

const rowKey = (holder: TokenHolder): string => holder.address

function holderColumns(chain: ChainFacts, token: TokenDetails): Column<TokenHolder>[] {
  const unit = symbolOf(token)
  return [
    column(
      'address',
      'Holder',
      (holder) => holder.address,
      { show: (_address, holder) => <Party party={holder} chainId={chain.chainId} /> },
      { always: true, narrow: 'title' },
    ),
    {
      id: 'balance',
      header: unit === '' || token.ercType !== 'ERC-20' ? 'Balance' : `Balance, ${unit}`,
      align: 'right',
      width: '260px',
      narrow: 'side',
      cell: (holder) => <TokenAmount value={holder.balance} token={token} />,
      text: (holder) => plainTokenAmount(holder.balance, token),
    },
    {
      id: 'share',
      header: 'Share of supply',
      align: 'right',
      width: '220px',
      narrow: 'belowSide',
      cell: (holder) => <ShareBar share={holder.share} />,
      text: (holder) => String(holder.share ?? ''),
    },
  ]
}

/** Who holds the token now, largest first. */
export function HoldersTab({ token, chain }: { token: TokenDetails; chain: ChainFacts }) {
  const list = tokenHoldersQuery(chain.chainId, kindOf(token))
  const columns = useMemo(() => holderColumns(chain, token), [chain, token])
  return (
    <>
      {token.balanceSource === 'node' && (
        <p className="pb-2 text-warn">
          Transfer events do not match balanceOf. These balances are read from the contract, for every account
          that one of its events names.
        </p>
      )}
      {token.holdersFrom !== undefined && (
        <p className="pb-2 text-warn">
          This chain is indexed from block {formatInteger(token.holdersFrom)} on, and the contract is older.
          Holders whom none of its logs has named since then are not known: the list may be incomplete.
        </p>
      )}
      <PagedTable
        id="token-holders"
        label="Holders of the token"
        noun="holder"
        list={list}
        columns={columns}
        rowKey={rowKey}
        rowHref={(holder) => paths.address(chain.chainId, holder.address)}
        file={`holders-${chain.chainId}-${token.address}`}
        empty={
          <EmptyState title="No current holders">
            All that was minted has been burned, or its transfers never moved an amount.
          </EmptyState>
        }
      />
    </>
  )
}

/** A part of a whole in percent, in figures and as a bar; the figure alone says it to a screen reader. */
function ShareBar({ share }: { share: number | undefined }) {
  if (share === undefined) return dash
  const text = share >= 0.01 ? share.toFixed(2) : share > 0 ? '< 0.01' : '0'
  return (
    <span className="inline-flex items-center justify-end gap-2" title={`${share} % of the supply`}>
      <span>{text} %</span>
      <span className="h-1.5 w-10 overflow-hidden rounded-full bg-hover" aria-hidden="true">
        <span
          className="block h-full rounded-full bg-series-1"
          style={{ width: `${Math.min(100, Math.max(share > 0 ? 1.5 : 0, share))}%` }}
        />
      </span>
    </span>
  )
}
