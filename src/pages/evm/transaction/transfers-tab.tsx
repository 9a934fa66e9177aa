import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { Link } from '../../../components/link.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { TokenAmount } from '../../../components/tokens/token-amount.tsx'
import { TokenName } from '../../../components/tokens/token-name.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { NotKeptState } from '../../shared/not-kept.tsx'
import { transfersOf, type Transfer } from './transfers.ts'

function What({ transfer, chainId }: { transfer: Transfer; chainId: string }) {
  const { token, value, tokenId, lastTokenId } = transfer
  if (tokenId !== undefined)
    return (
      <>
        {value !== undefined && `${formatInteger(value)} × `}
        <Link to={paths.nft(chainId, token.address, tokenId)} className="link inline-block break-all">
          #{tokenId}
        </Link>
        {lastTokenId !== undefined && (
          <>
            –
            <Link to={paths.nft(chainId, token.address, lastTokenId)} className="link inline-block break-all">
              #{lastTokenId}
            </Link>
          </>
        )}
      </>
    )
  return value === undefined ? null : <TokenAmount value={value} token={token} withSymbol />
}

/** Token transfers: who sent what to whom. */
export function TransferList({ transfers, chain }: { transfers: readonly Transfer[]; chain: ChainFacts }) {
  return (
    <ol aria-label="Token transfers" className="border-t border-line">
      {transfers.map((transfer) => (
        <li
          key={transfer.key}
          className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line py-2"
        >
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="text-muted">from</span>
            <Address {...transfer.from} chainId={chain.chainId} />
          </span>
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="text-muted">to</span>
            <Address {...transfer.to} chainId={chain.chainId} />
          </span>
          <span className="min-w-0 md:ml-auto">
            <What transfer={transfer} chainId={chain.chainId} />
          </span>
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="text-xs text-muted">{transfer.token.ercType}</span>
            <TokenName {...transfer.token} tokenId={undefined} chainId={chain.chainId} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** All token transfers of a transaction. */
export function TransfersTab({ details, chain }: { details: TransactionDetails; chain: ChainFacts }) {
  const { logsFrom } = details
  if (logsFrom !== undefined) return <NotKeptState kept={{ logsFrom }} />
  const transfers = transfersOf(details)
  if (transfers.length === 0)
    return (
      <EmptyState title="No token transfers">
        No log of this transaction is an ERC-20, ERC-721 or ERC-1155 transfer.
      </EmptyState>
    )
  return <TransferList transfers={transfers} chain={chain} />
}
