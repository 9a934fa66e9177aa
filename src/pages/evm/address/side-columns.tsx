import type { ReactNode } from 'react'
import { Party, sideOf, SideTag } from '../../../components/party.tsx'
import type { Column } from '../../../components/table/columns.ts'
import type { Subject } from './activity.tsx'

type Person = { address: string; name?: string | undefined }
type Moving = { from: Person; to: Person }

/** Direction and counterparty as seen from the address; sender and receiver as optional columns. */
export function sideColumns<Row extends Moving>(
  { address, chain: { chainId } }: Subject,
  other: Partial<Pick<Column<Row>, 'narrow' | 'width'>>,
): Column<Row>[] {
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
      cell: (row) => party(side(row) === 'out' ? row.to : row.from),
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
