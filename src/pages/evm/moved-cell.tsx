import { maxMovedTransfers } from '../../../contract/evm/transaction-movements.ts'
import type { MovedTransaction } from '../../api/evm/movements.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Amount } from '../../components/amount.tsx'
import { Link } from '../../components/link.tsx'
import { dash } from '../../components/table/column-kinds.tsx'
import { shortId, symbolOf, TokenAmount } from '../../components/tokens/token-amount.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { safeText } from '../../lib/text.ts'
import { collectionOf, lineText, movedOf, type Line } from './moved.ts'

type LineProps = { line: Line; chain: ChainFacts; plain: boolean }

/** What moved of one asset, with a link to its token or NFT. Where it is narrow, the name is cut and not the figure. */
function LineView({ line: { value, token, tokenId, isCollection = false }, chain, plain }: LineProps) {
  const { chainId, decimals, symbol } = chain
  if (!token) return <Amount value={value} decimals={decimals} symbol={symbol} max={4} />
  const isItem = tokenId !== undefined
  const name = isItem || isCollection ? collectionOf(token) : symbolOf(token) || 'tokens'
  const title = `${safeText(token.name ?? name, 40)} · ${token.address}`
  return (
    <span className="inline-flex max-w-full min-w-0 items-baseline gap-1">
      {isItem || isCollection ? (
        <span className="shrink-0">
          {value > 1n || isCollection ? `${formatInteger(value)} × ` : ''}
          {isItem && shortId(tokenId)}
          {isItem && <span className="text-muted"> of</span>}
        </span>
      ) : (
        <TokenAmount value={value} token={token} digits={4} />
      )}
      {plain ? (
        <span className="min-w-0 truncate" title={title}>
          {name}
        </span>
      ) : (
        <Link
          to={isItem ? paths.nft(chainId, token.address, tokenId) : paths.token(chainId, token.address)}
          className="link min-w-0 truncate"
          title={title}
        >
          {name}
        </Link>
      )}
    </span>
  )
}

type MovedProps = {
  tx: MovedTransaction
  chain: ChainFacts
  /** Without a link to the token, where another link is too near for a finger. */
  plain?: boolean
}

/** What a transaction moved, in one line of a list; all of it in the title. */
export function MovedCell({ tx, chain, plain = false }: MovedProps) {
  const moved = movedOf(tx)
  // Only the transaction's own value is known: 0 would say that nothing moved.
  if (tx.movements?.logsFrom !== undefined && tx.value === '0' && moved.kind !== 'failed')
    return <span className="text-muted">not kept</span>
  switch (moved.kind) {
    case 'failed':
      return <span className="text-bad">Failed</span>
    case 'loading':
      return null
    case 'none':
      return dash
    case 'unknown':
    case 'one':
      return <LineView line={moved.lines[0]} chain={chain} plain={plain} />
    case 'swap':
      return (
        <span
          className="inline-flex max-w-full min-w-0 items-baseline gap-1"
          title={moved.lines.map((line) => lineText(line, chain)).join(' → ')}
        >
          {lineText(moved.lines[0], chain)} <span className="text-muted">→</span>{' '}
          <span className="min-w-0 truncate">{lineText(moved.lines[1], chain)}</span>
        </span>
      )
    case 'several':
    case 'partly': {
      const tokens = moved.lines.filter(({ token }) => token !== undefined).length
      const title = moved.lines.map((line) => lineText(line, chain)).join('\n')
      return (
        <span title={moved.kind === 'partly' ? `Among others:\n${title}` : title}>
          {moved.kind === 'partly'
            ? `over ${maxMovedTransfers} transfers`
            : tokens === moved.lines.length
              ? `${tokens} tokens`
              : `${moved.lines.length} assets`}
        </span>
      )
    }
  }
}
