import { useQuery } from '@tanstack/react-query'
import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { transactionFailureQuery } from '../../../api/evm/transactions.ts'
import { Address } from '../../../components/address.tsx'
import { Amount } from '../../../components/amount.tsx'
import { Link } from '../../../components/link.tsx'
import { nameOf, TokenAmount, shortId } from '../../../components/tokens/token-amount.tsx'
import { FailedIcon } from '../../../components/icons.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { headlineOf, type HeadlinePart } from './headline.ts'

function Part({ part, chain }: { part: Exclude<HeadlinePart, string>; chain: ChainFacts }) {
  const { chainId, decimals, symbol } = chain
  if ('party' in part) return <Address {...part.party} chainId={chainId} />
  if ('native' in part) return <Amount value={part.native} decimals={decimals} symbol={symbol} />
  if ('token' in part) return <TokenAmount {...part} withSymbol />
  if ('item' in part)
    return (
      <Link to={paths.nft(chainId, part.item.address, part.tokenId)} className="link">
        {nameOf(part.item)} {shortId(part.tokenId)}
      </Link>
    )
  return <span className="font-mono text-mono">{part.method}</span>
}

/** The reason of a failure, on a line of its own: when it comes, nothing moves. */
function FailureReason({ details, chain }: { details: TransactionDetails; chain: ChainFacts }) {
  const { data, isPending } = useQuery(transactionFailureQuery(details, chain.chainId))
  const reason = data ? safeText(data.reason, 200) : isPending ? '…' : 'the reason could not be loaded'
  const text = `Failed: ${reason}`
  return (
    <p className="flex items-center gap-2 font-strong text-bad">
      <FailedIcon />
      <span className="truncate" title={text}>
        {text}
      </span>
    </p>
  )
}

/** The first lines of a transaction's page: the reason of a failure, and its effect as a sentence. */
export function HeadlineText({ details, chain }: { details: TransactionDetails; chain: ChainFacts }) {
  return (
    <section aria-label="Summary" className="pb-4 text-h3 leading-7">
      {/* The outcome before all. */}
      {details.nativeTransaction.txStatus === '0' && <FailureReason details={details} chain={chain} />}
      {headlineOf(details).map((part, index) =>
        typeof part === 'string' ? part : <Part key={index} part={part} chain={chain} />,
      )}
    </section>
  )
}
