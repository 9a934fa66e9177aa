import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { Amount } from '../../../components/amount.tsx'
import { Link } from '../../../components/link.tsx'
import { nameOf, TokenAmount, shortId } from '../../../components/tokens/token-amount.tsx'
import { paths } from '../../../lib/paths.ts'
import { headlineOf, type HeadlinePart } from './headline.ts'

function Part({ part, chain }: { part: Exclude<HeadlinePart, string>; chain: ChainFacts }) {
  const { chainId, decimals, symbol } = chain
  if ('party' in part)
    return (
      <span className="inline-flex max-w-full align-bottom">
        <Address {...part.party} chainId={chainId} />
      </span>
    )
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

/** The first line of a transaction's page: what it did, in a sentence. */
export function HeadlineText({ details, chain }: { details: TransactionDetails; chain: ChainFacts }) {
  return (
    <section aria-label="Summary" className="pb-4 text-h3 leading-7">
      {headlineOf(details).map((part, index) =>
        typeof part === 'string' ? part : <Part key={index} part={part} chain={chain} />,
      )}
    </section>
  )
}
