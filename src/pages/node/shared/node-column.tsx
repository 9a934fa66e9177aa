import { Hash } from '../../../components/hash.tsx'
import { NodeId } from '../../../components/node-id.tsx'
import type { Column } from '../../../components/table/columns.ts'

/** The column of the node that a row is about; a link where the node is one of the network in use. */
export const nodeColumn = <Row extends { nodeID: string }>(network: string | undefined): Column<Row> => ({
  id: 'node',
  header: 'Node',
  always: true,
  width: '190px',
  narrow: 'title',
  cell: ({ nodeID }) =>
    network === undefined ? (
      <Hash value={nodeID} name="node id" />
    ) : (
      <NodeId nodeId={nodeID} network={network} />
    ),
  text: ({ nodeID }) => nodeID,
})
