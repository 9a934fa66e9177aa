import type { Token } from '../../../contract/tokens/tokens.ts'
import type { ChainFacts } from '../../api/current.ts'
import { countColumn, hashColumn, textColumn } from '../../components/table/column-kinds.tsx'
import { blockColumn } from '../../components/table/evm-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { plainTokenAmount, TokenAmount } from '../../components/tokens/token-amount.tsx'
import { fiatText } from '../../components/tokens/token-amount-fiat.tsx'
import { readableName, TokenName } from '../../components/tokens/token-name.tsx'
import { ReputationPill } from '../../components/tokens/token-name-pill.tsx'
import { paths } from '../../lib/paths.ts'

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
    hashColumn('address', 'Address', (token) => token.address, 'token address', {
      to: (token) => paths.token(chainId, token.address),
      width: '160px',
      narrow: 'below',
    }),
    textColumn('kind', 'Kind', (token) => token.ercType, { width: '96px' }),
    {
      id: 'reputation',
      header: 'Reputation',
      width: '112px',
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
      width: '184px',
      cell: (token) => <TokenAmount value={token.supply} token={token} />,
      text: (token) => plainTokenAmount(token.supply, token),
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
    countColumn('holders', 'Holders', (token) => token.holderCount, {
      noun: 'holder',
      width: '88px',
      narrow: 'belowSide',
    }),
    countColumn('dayTransfers', '24 h transfers', (token) => token.lastDayTransferCount, {
      width: '116px',
    }),
    countColumn('transfers', 'Transfers', (token) => token.transferCount, { width: '96px' }),
    priceLabel !== undefined && {
      id: 'price',
      header: 'Price',
      align: 'right',
      width: '104px',
      cell: (token) => <span title={priceLabel}>{token.price ? fiatText(token.price) : '–'}</span>,
      text: (token) => token.price?.value ?? '',
    },
    blockColumn('firstBlock', 'First block', (token) => token.firstBlock, chainId, {
      align: 'right',
      width: '104px',
      hidden: true,
    }),
  ]
  return columns.filter((column) => column !== false)
}
