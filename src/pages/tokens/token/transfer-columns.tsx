import type { TokenTransferRow } from '../../../../contract/tokens/tokens.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { RowUnit } from '../../../components/amount.tsx'
import { Link } from '../../../components/link.tsx'
import { OtherParty, Party } from '../../../components/party.tsx'
import type { Column } from '../../../components/table/columns.ts'
import {
  plainTokenAmount,
  TokenAmount,
  unitOf,
  whyNoUnits,
  type TokenFacts,
  zeroAddress,
  idsText,
  plainIds,
} from '../../../components/tokens/token-amount.tsx'
import { paths } from '../../../lib/paths.ts'
import { placeTxColumn, placeBlockColumn, logColumn, placeTimeColumn } from '../../evm/place-columns.tsx'
import { isCollection } from '../../../../protocol/evm/token-units.ts'

type Kinded = TokenFacts & { ercType: string }

const keys = new WeakMap<TokenTransferRow, string>()
let made = 0

/** A key of a transfer: one log may move several ids, and one id several times. */
export function transferKey(row: TokenTransferRow): string {
  const known = keys.get(row)
  if (known !== undefined) return known
  made += 1
  const key = `${row.blockNumber}/${row.logIndex}/${made}`
  keys.set(row, key)
  return key
}

/** Where tokens come from when minted and go to when burned is not an address of anyone. */
function End({
  address,
  name,
  chainId,
  empty,
  brief = false,
}: {
  address: string
  name?: string | undefined
  chainId: string
  empty: string
  /** Shortens an address without a name further, for a row on a phone. */
  brief?: boolean
}) {
  if (address === zeroAddress)
    return (
      <span className="text-muted" title={`The zero address: ${empty}`}>
        {empty}
      </span>
    )
  return <Party party={{ address, name }} chainId={chainId} brief={brief} />
}

/** The columns of a list of transfers of one token; `item` leaves out the id, which the page says once. */
export function transferColumns(
  chain: ChainFacts,
  token: Kinded,
  options: { item?: boolean } = {},
): Column<TokenTransferRow>[] {
  const { chainId } = chain
  // Without units, each figure says that it is in the smallest ones.
  const inHeading = isCollection(token) || whyNoUnits(token) !== undefined ? '' : unitOf(token)
  const columns: (Column<TokenTransferRow> | false)[] = [
    placeTxColumn(chainId, { always: true, narrow: 'title' }),
    placeBlockColumn(chainId),
    logColumn(),
    placeTimeColumn(),
    {
      id: 'from',
      header: 'From',
      width: '180px',
      narrow: 'below',
      cell: (row) => (
        <>
          <span className="max-md:hidden">
            <End {...row.from} chainId={chainId} empty="minted" />
          </span>
          <span className="flex min-w-0 items-center gap-1.5 md:hidden max-[359px]:[&_svg]:hidden">
            <End {...row.from} chainId={chainId} empty="minted" brief />
            <OtherParty way="to">
              <End {...row.to} chainId={chainId} empty="burned" brief />
            </OtherParty>
          </span>
        </>
      ),
      text: (row) => row.from.address,
    },
    {
      id: 'to',
      header: 'To',
      width: '180px',
      cell: (row) => <End {...row.to} chainId={chainId} empty="burned" />,
      text: (row) => row.to.address,
    },
    isCollection(token) &&
      options.item !== true && {
        id: 'item',
        header: 'Item',
        align: 'right',
        width: '170px',
        ...(token.ercType === 'ERC-721' && { narrow: 'belowSide' as const }),
        cell: (row) =>
          row.tokenId === undefined ? (
            '–'
          ) : (
            <Link
              to={paths.nft(chainId, token.address, row.tokenId)}
              className="link"
              title={`#${plainIds({ ...row, tokenId: row.tokenId })}`}
            >
              {idsText({ ...row, tokenId: row.tokenId })}
            </Link>
          ),
        text: (row) => (row.tokenId === undefined ? '' : plainIds({ ...row, tokenId: row.tokenId })),
      },
    token.ercType !== 'ERC-721' && {
      id: 'amount',
      header: inHeading === '' ? 'Amount' : `Amount, ${inHeading}`,
      align: 'right',
      width: '180px',
      narrow: 'belowSide',
      cell: (row) =>
        row.value === undefined ? (
          '–'
        ) : (
          <>
            <TokenAmount value={row.value} token={token} />
            {inHeading !== '' && <RowUnit>{inHeading}</RowUnit>}
          </>
        ),
      text: (row) => (row.value === undefined ? '' : plainTokenAmount(row.value, token)),
    },
  ]
  return columns.filter((column) => column !== false)
}
