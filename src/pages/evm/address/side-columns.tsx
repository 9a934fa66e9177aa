import type { ReactNode } from 'react'
import { OtherParty, Party, sideOf, SideTag } from '../../../components/party.tsx'
import type { Column } from '../../../components/table/columns.ts'
import type { Subject } from './activity.tsx'

type Person = { address: string; name?: string | undefined }
type Moving = { from: Person; to: Person }

/** The counterparty of a row on a phone, with the direction as seen from the address. */
export function OtherSide({ row: { from, to }, address, chain }: { row: Moving } & Subject) {
  const isSent = sideOf(address, from, to) === 'out'
  return (
    <OtherParty way={isSent ? 'to' : 'from'}>
      <Party party={isSent ? to : from} chainId={chain.chainId} brief />
    </OtherParty>
  )
}

/** Direction and counterparty as seen from the address; sender and receiver as optional columns. */
export function sideColumns<Row extends Moving>(
  { address, chain }: Subject,
  other: Partial<Pick<Column<Row>, 'narrow' | 'width'>>,
): Column<Row>[] {
  const { chainId } = chain
  const side = ({ from, to }: Row) => sideOf(address, from, to)
  const party = (one: Person): ReactNode => <Party party={one} chainId={chainId} />
  return [
    {
      id: 'side',
      header: 'Direction',
      width: '96px',
      cell: (row) => <SideTag side={side(row)} />,
      text: side,
    },
    {
      id: 'other',
      header: 'Counterparty',
      ...other,
      cell: (row) => (
        <>
          <span className="max-md:hidden">{party(side(row) === 'out' ? row.to : row.from)}</span>
          <OtherSide row={row} address={address} chain={chain} />
        </>
      ),
    },
    {
      id: 'from',
      header: 'From',
      hidden: true,
      width: '180px',
      cell: (row) => party(row.from),
      text: (row) => row.from.address,
    },
    {
      id: 'to',
      header: 'To',
      hidden: true,
      width: '180px',
      cell: (row) => party(row.to),
      text: (row) => row.to.address,
    },
  ]
}
