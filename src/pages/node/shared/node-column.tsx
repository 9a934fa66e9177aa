import { Hash } from '../../../components/hash.tsx'
import { NodeId } from '../../../components/node-id.tsx'
import type { Column } from '../../../components/table/columns.ts'

/** The column of a row's node; a link if the node belongs to the current network. */
export const nodeColumn = <Row extends { nodeID: string }>(network: string | undefined): Column<Row> => ({
  id: 'node',
  header: 'Node',
  always: true,
  width: '190px',
  narrow: 'title',
  cell: ({ nodeID }) =>
    network === undefined ? (
      <Hash value={nodeID} name="node ID" />
    ) : (
      <NodeId nodeId={nodeID} network={network} />
    ),
  text: ({ nodeID }) => nodeID,
})
