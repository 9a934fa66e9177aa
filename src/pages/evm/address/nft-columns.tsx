import type { CollectibleBalance } from '../../../../contract/tokens/balances.ts'
import { Link } from '../../../components/link.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { Pill } from '../../../components/pill.tsx'
import { textColumn } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { nameOf, shortId } from '../../../components/tokens/token-amount.tsx'
import { TokenName } from '../../../components/tokens/token-name.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { safeText, shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'

const ownName = (row: CollectibleBalance): string =>
  row.metadata?.name === undefined ? '' : safeText(row.metadata.name, 60)

/** An NFT's own name, else its collection; and then its id, which a narrow place must not cut. */
export function titleParts(row: CollectibleBalance): { name: string; id: string } {
  const own = ownName(row)
  return own
    ? { name: own, id: '' }
    : { name: nameOf(row) || shorten(row.address, 4, 4), id: ` ${shortId(row.tokenId)}` }
}

/** An NFT's own name, else its collection and id. */
export function titleOf(row: CollectibleBalance): string {
  const { name, id } = titleParts(row)
  return `${name}${id}`
}

/** The text below the title: collection and id, unless the title has them. */
export function originOf(row: CollectibleBalance): string {
  const origin = `${nameOf(row) || shorten(row.address, 4, 4)} ${shortId(row.tokenId)}`
  return ownName(row) === '' ? row.ercType : origin
}

/** The number of held items of an id: one for ERC-721. */
export const countOf = (row: CollectibleBalance): string => row.balance ?? '1'

/** The columns of an address's NFTs; `onCollection` filters the list by a collection. */
export function nftColumns(
  chainId: string,
  onCollection: (address: string) => void,
): Column<CollectibleBalance>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      always: true,
      narrow: 'title',
      cell: (row) => (
        <Link
          to={paths.nft(chainId, row.address, row.tokenId)}
          className="link"
          title={`${row.address} #${row.tokenId}`}
        >
          {titleOf(row)}
        </Link>
      ),
      text: (row) => row.metadata?.name ?? '',
    },
    {
      id: 'collection',
      header: 'Collection',
      narrow: 'below',
      cell: (row) => (
        <span className="inline-flex max-w-full min-w-0 items-center gap-2">
          <TokenName address={row.address} name={row.name} symbol={row.symbol} chainId={chainId} />
          <button
            type="button"
            className="shrink-0 text-xs text-muted hover:text-text max-md:hidden"
            aria-label={`Show only this: ${nameOf(row) || row.address}`}
            onClick={() => onCollection(row.address)}
          >
            only this
          </button>
        </span>
      ),
      text: (row) => row.address,
    },
    textColumn('kind', 'Kind', (row) => row.ercType, { width: '96px' }),
    {
      id: 'tokenId',
      header: 'Token ID',
      align: 'right',
      width: '150px',
      cell: (row) => <span title={row.tokenId}>{shortId(row.tokenId)}</span>,
      text: (row) => row.tokenId,
    },
    {
      id: 'count',
      header: 'Count',
      align: 'right',
      width: '130px',
      narrow: 'side',
      cell: (row) => formatInteger(countOf(row)),
      text: countOf,
    },
    {
      id: 'status',
      header: 'Metadata',
      align: 'right',
      width: '180px',
      narrow: 'belowSide',
      cell: ({ metadata }) => {
        const { text, about } = statusWords(metadata?.indexStatus)
        return (
          <Pill state={metadata?.indexStatus === 'INDEXED' ? 'ok' : 'neutral'} title={about}>
            {text}
          </Pill>
        )
      },
      text: (row) => row.metadata?.indexStatus ?? '',
    },
  ]
}
