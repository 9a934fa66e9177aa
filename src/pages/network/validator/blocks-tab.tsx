import { useMemo } from 'react'
import type { PrimaryBlock } from '../../../../contract/primary/blocks.ts'
import { usePrimaryStatus } from '../../../api/network/overview.ts'
import { nodeBlocksQuery } from '../../../api/network/staking.ts'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import { paths } from '../../../lib/paths.ts'
import { primaryBlockColumns } from '../../primary/block-columns.tsx'
import { ChainChoice, chainSchema } from '../../primary/address/chain-choice.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import type { Node } from './node.ts'

const rowKey = ({ blockHash }: PrimaryBlock): string => blockHash

/** The blocks of one chain that a node proposed, latest first. */
export function BlocksTab({ network, nodeId }: Node) {
  const [{ chain }, setSearch] = useSearchState(chainSchema)
  const list = nodeBlocksQuery(network, chain, nodeId)
  const columns = useMemo(
    () => primaryBlockColumns(network, chain).filter(({ id }) => id !== 'proposer'),
    [network, chain],
  )
  const status = usePrimaryStatus(network)?.find((one) => one.chainName === chain)
  const name = chainLabel(chain)
  return (
    <PagedTable
      id={`node-blocks-${chain}`}
      label={`Blocks of the ${name} proposed by ${nodeId}`}
      noun="block"
      list={list}
      columns={columns}
      rowKey={rowKey}
      rowHref={(row) => paths.primaryBlock(network, chain, row.blockNumber)}
      tools={<ChainChoice current={chain} onChange={(next) => setSearch({ chain: next }, { push: true })} />}
      file={`proposed-${chain}-${nodeId}`}
      empty={
        <EmptyState title={`No proposed blocks on the ${name}`}>
          {status?.hasProposers === false
            ? 'The node behind this service keeps no index of this chain, so nobody’s proposals are known.'
            : 'Blocks that anybody may propose, and those from before proposers were chosen, name none.'}
        </EmptyState>
      }
    />
  )
}
