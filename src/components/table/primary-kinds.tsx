import { plainAmount } from '../../lib/amounts.ts'
import { RowUnit } from '../amount.tsx'
import { AssetAmount, assetText, Avax, avaxDecimals, type Asset } from '../asset-amount.tsx'
import { NodeId } from '../node-id.tsx'
import { PrimaryBlockLink, PrimaryTxLink, SubnetLink } from '../primary-link.tsx'
import { column, type ColumnOptions, type Value } from './column-kinds.tsx'

/** A node by its id. */
export const nodeColumn = <Row,>(
  id: string,
  header: string,
  nodeId: Value<Row, string>,
  network: string,
  rest?: ColumnOptions<Row>,
) => column(id, header, nodeId, { show: (value) => <NodeId nodeId={value} network={network} /> }, rest)

/** A subnet by its name in `names`, else by its id. */
export const subnetColumn = <Row,>(
  id: string,
  header: string,
  subnetId: Value<Row, string>,
  network: string,
  { names, ...rest }: ColumnOptions<Row> & { names?: ReadonlyMap<string, string> | undefined } = {},
) =>
  column(
    id,
    header,
    subnetId,
    { show: (value) => <SubnetLink subnetId={value} network={network} name={names?.get(value)} /> },
    rest,
  )

/** A transaction of a primary network chain by its hash. */
export const primaryTxColumn = <Row,>(
  id: string,
  header: string,
  txHash: Value<Row, string>,
  network: string,
  chain: string,
  rest?: ColumnOptions<Row>,
) =>
  column(
    id,
    header,
    txHash,
    { show: (value) => <PrimaryTxLink network={network} chain={chain} txHash={value} /> },
    rest,
  )

/** A block of a primary network chain by its height. */
export const primaryBlockColumn = <Row,>(
  id: string,
  header: string,
  height: Value<Row, string>,
  network: string,
  chain: string,
  rest?: ColumnOptions<Row>,
) =>
  column(
    id,
    header,
    height,
    { show: (value) => <PrimaryBlockLink network={network} chain={chain} height={value} /> },
    rest,
  )

/** An amount of nAVAX shown in AVAX, with the unit in the heading; exact in an export. */
export const avaxColumn = <Row,>(
  id: string,
  header: string,
  amount: Value<Row, string | number | bigint>,
  rest?: ColumnOptions<Row>,
) =>
  column(
    id,
    header,
    amount,
    {
      show: (value) => (
        <>
          <Avax value={String(value)} bare />
          <RowUnit>AVAX</RowUnit>
        </>
      ),
      text: (value) => plainAmount(value, avaxDecimals),
    },
    { align: 'right', ...rest },
  )

/** An amount of any asset of the primary network, with its symbol. */
export const assetColumn = <Row,>(
  id: string,
  header: string,
  amount: Value<Row, Asset>,
  rest?: ColumnOptions<Row>,
) =>
  column(
    id,
    header,
    amount,
    { show: (value) => <AssetAmount asset={value} />, text: assetText },
    { align: 'right', ...rest },
  )
