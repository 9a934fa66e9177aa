import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { Address } from '../address.tsx'
import { Link } from '../link.tsx'
import { column, type ColumnOptions, type Value } from './column-kinds.tsx'

/** An address of an EVM chain. */
export const addressColumn = <Row,>(
  id: string,
  header: string,
  value: Value<Row, string>,
  chainId: string,
  rest?: ColumnOptions<Row>,
) => column(id, header, value, { show: (text) => <Address address={text} chainId={chainId} /> }, rest)

/** A block of an EVM chain by its height. */
export const blockColumn = <Row,>(
  id: string,
  header: string,
  height: Value<Row, string>,
  chainId: string,
  rest?: ColumnOptions<Row>,
) =>
  column(
    id,
    header,
    height,
    {
      show: (value) => (
        <Link to={paths.block(chainId, value)} className="link" data-value={value}>
          {formatInteger(value)}
        </Link>
      ),
    },
    rest,
  )
