import type { Token } from '../../../contract/tokens/tokens.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import type { Column } from '../../components/table/columns.ts'
import { plainTokenAmount, TokenAmount } from '../../components/tokens/token-amount.tsx'
import { fiatText } from '../../components/tokens/token-amount-fiat.tsx'
import { readableName, TokenName } from '../../components/tokens/token-name.tsx'
import { ReputationPill } from '../../components/tokens/token-name-pill.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { inUnits } from './token-facts.ts'

/** The columns of a list of tokens. Prices have one only where the service knows any. */
export function tokenColumns(chain: ChainFacts, priceLabel: string | undefined): Column<Token>[] {
  const { chainId } = chain
  const columns: (Column<Token> | false)[] = [
    {
      id: 'token',
      header: 'Token',
      always: true,
      narrow: 'title',
      cell: (token) => <TokenName {...token} chainId={chainId} />,
      text: (token) => readableName(token.name, 128),
    },
    {
      id: 'symbol',
      header: 'Symbol',
      hidden: true,
      width: '110px',
      cell: (token) => readableName(token.symbol, 16) || '–',
      text: (token) => readableName(token.symbol, 32),
    },
    {
      id: 'address',
      header: 'Address',
      width: '170px',
      narrow: 'below',
      cell: (token) => (
        <Hash value={token.address} name="token address" to={paths.token(chainId, token.address)} />
      ),
      text: (token) => token.address,
    },
    {
      id: 'kind',
      header: 'Kind',
      width: '104px',
      cell: (token) => token.ercType,
      text: (token) => token.ercType,
    },
    {
      id: 'reputation',
      header: 'Reputation',
      width: '124px',
      narrow: 'side',
      cell: (token) => (
        <ReputationPill reputation={token.tokenReputation} reasons={token.reputationReasons} />
      ),
      text: (token) => [token.tokenReputation ?? '', ...(token.reputationReasons ?? [])].join('; '),
    },
    {
      id: 'supply',
      header: 'Supply',
      align: 'right',
      width: '190px',
      cell: (token) => <TokenAmount value={token.supply} token={inUnits(token)} />,
      text: (token) => plainTokenAmount(token.supply, inUnits(token)),
    },
    {
      id: 'decimals',
      header: 'Decimals',
      align: 'right',
      hidden: true,
      width: '92px',
      cell: (token) => token.decimals ?? '–',
      text: (token) => String(token.decimals ?? ''),
    },
    {
      id: 'holders',
      header: 'Holders',
      align: 'right',
      width: '100px',
      narrow: 'belowSide',
      cell: (token) => (
        <>
          {formatInteger(token.holderCount)}
          <span className="md:hidden"> {plural(token.holderCount, 'holder')}</span>
        </>
      ),
      text: (token) => token.holderCount,
    },
    {
      id: 'transfers',
      header: 'Transfers',
      align: 'right',
      width: '104px',
      cell: (token) => formatInteger(token.transferCount),
      text: (token) => token.transferCount,
    },
    priceLabel !== undefined && {
      id: 'price',
      header: 'Price',
      align: 'right',
      width: '128px',
      cell: (token) => <span title={priceLabel}>{token.price ? fiatText(token.price) : '–'}</span>,
      text: (token) => token.price?.value ?? '',
    },
    {
      id: 'firstBlock',
      header: 'First block',
      align: 'right',
      width: '104px',
      hidden: true,
      cell: (token) => (
        <Link to={paths.block(chainId, token.firstBlock)} className="link">
          {formatInteger(token.firstBlock)}
        </Link>
      ),
      text: (token) => token.firstBlock,
    },
  ]
  return columns.filter((column) => column !== false)
}
