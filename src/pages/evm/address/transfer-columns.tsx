import type { ReactNode } from 'react'
import type { Erc1155Transfer, Erc20Transfer, Erc721Transfer } from '../../../../contract/evm/addresses.ts'
import { Link } from '../../../components/link.tsx'
import { sideOf } from '../../../components/party.tsx'
import { countColumn, dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import {
  idsText,
  plainIds,
  plainTokenAmount,
  symbolOf,
  TokenAmount,
} from '../../../components/tokens/token-amount.tsx'
import { TokenName } from '../../../components/tokens/token-name.tsx'
import { minus } from '../../../../charts/series/minus.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { placeTxColumn, placeBlockColumn, logColumn, placeTimeColumn } from '../place-columns.tsx'
import type { Subject } from './activity.tsx'
import { OtherSide, sideColumns } from './side-columns.tsx'

type Placed = {
  blockNumber: string
  blockTimestamp: number
  txHash: string
  logIndex: number
  from: { address: string; name?: string | undefined }
  to: { address: string; name?: string | undefined }
}

/** The common columns of the three kinds, followed by their own. */
function columnsOf<Row extends Placed>(subject: Subject, own: Column<Row>[]): Column<Row>[] {
  const { chainId } = subject.chain
  const hash = placeTxColumn<Row>(chainId, { always: true, narrow: 'title' })
  return [
    {
      ...hash,
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-1.5">
          {hash.cell(row)}
          <OtherSide row={row} {...subject} />
        </span>
      ),
    },
    logColumn(),
    placeBlockColumn(chainId),
    placeTimeColumn(),
    ...sideColumns<Row>(subject, { width: '180px' }),
    ...own,
  ]
}

/** The sign of a figure that came in or went out; zero has none. */
export const signOf = (side: 'in' | 'out' | 'self', value: string | undefined): string =>
  value === '0' || side === 'self' ? '' : side === 'in' ? '+' : minus

type SignedProps = {
  side: 'in' | 'out' | 'self'
  value?: string | undefined
  children: ReactNode
}

/** Shows the direction as a sign of the figure when its column is left out. */
function Signed({ side, value, children }: SignedProps) {
  return (
    <>
      <span className="md:hidden">{signOf(side, value)}</span>
      {children}
    </>
  )
}

type Item = {
  address: string
  name?: string | undefined
  symbol?: string | undefined
  tokenId: string
  lastTokenId?: string | undefined
}

/** The columns of an NFT: collection and id. On a phone the id also shows direction and count. */
const itemColumns = <Row extends Placed>(
  { address: own, chain: { chainId } }: Subject,
  itemOf: (row: Row) => Item,
  countOf?: (row: Row) => string,
): Column<Row>[] => [
  {
    id: 'token',
    header: 'Collection',
    narrow: 'below',
    cell: (row) => {
      const { address, name, symbol } = itemOf(row)
      return <TokenName address={address} name={name} symbol={symbol} chainId={chainId} />
    },
    text: (row) => itemOf(row).address,
  },
  {
    id: 'tokenId',
    header: 'Token ID',
    align: 'right',
    width: '150px',
    narrow: 'belowSide',
    cell: (row) => {
      const item = itemOf(row)
      const { address, tokenId, lastTokenId } = item
      return (
        <Signed side={sideOf(own, row.from, row.to)} value={countOf?.(row)}>
          {countOf && <span className="md:hidden">{formatInteger(countOf(row))} × </span>}
          <Link
            to={paths.nft(chainId, address, tokenId)}
            className="link inline-block"
            title={plainIds(item)}
          >
            {lastTokenId === undefined ? `#${shorten(tokenId, 8, 4)}` : idsText(item)}
          </Link>
        </Signed>
      )
    },
    text: (row) => plainIds(itemOf(row)),
  },
]

/** The columns of a list of ERC-20 transfers. */
export function erc20Columns(subject: Subject): Column<Erc20Transfer>[] {
  const { address, chain } = subject
  return columnsOf<Erc20Transfer>(subject, [
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      width: '200px',
      narrow: 'belowSide',
      cell: (row) => (
        <Signed side={sideOf(address, row.from, row.to)} value={row.value}>
          <TokenAmount value={row.value} token={row.erc20Token} />
        </Signed>
      ),
      text: (row) => plainTokenAmount(row.value, row.erc20Token),
    },
    {
      id: 'token',
      header: 'Token',
      narrow: 'below',
      cell: ({ erc20Token: { address: token, name, symbol } }) => (
        <TokenName address={token} name={name} symbol={symbol} chainId={chain.chainId} />
      ),
      text: (row) => row.erc20Token.address,
    },
    {
      id: 'symbol',
      header: 'Symbol',
      hidden: true,
      width: '96px',
      cell: (row) => symbolOf(row.erc20Token) || dash,
      text: (row) => row.erc20Token.symbol ?? '',
    },
  ])
}

/** The columns of a list of ERC-721 transfers. */
export const erc721Columns = (subject: Subject): Column<Erc721Transfer>[] =>
  columnsOf<Erc721Transfer>(
    subject,
    itemColumns(subject, (row) => row.erc721Token),
  )

/** The columns of a list of ERC-1155 transfers; a batch is a row for each of its items. */
export const erc1155Columns = (subject: Subject): Column<Erc1155Transfer>[] =>
  columnsOf<Erc1155Transfer>(subject, [
    ...itemColumns<Erc1155Transfer>(
      subject,
      (row) => row.erc1155Token,
      (row) => row.value,
    ),
    countColumn('count', 'Count', (row) => row.value, { width: '130px' }),
  ])
