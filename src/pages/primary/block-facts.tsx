import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import type { NetworkName } from '../../api/current.ts'
import { usePrimaryStatus } from '../../api/network/overview.ts'
import { Avax, avaxDecimals } from '../../components/asset-amount.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Figures, type Figure } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { NodeId } from '../../components/node-id.tsx'
import { PrimaryBlockLink } from '../../components/primary-link.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatAmount, formatInteger } from '../../lib/amounts.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { paths } from '../../lib/paths.ts'
import { Facts } from '../shared/facts.tsx'

type Props = { block: PrimaryBlock; head: string | undefined; network: NetworkName; chain: PrimaryChainAlias }

function figuresOf({ block, network }: Props): Figure[] {
  const node = block.proposerDetails?.proposerNodeId
  return [
    { label: 'Age', value: <TimeAgo at={block.blockTimestamp} /> },
    { label: 'Transactions', value: formatInteger(block.txCount) },
    {
      label: 'Proposer',
      value: node === undefined ? null : <NodeId nodeId={node} network={network} />,
      note: node === undefined && 'not known for this block',
    },
    ...(block.activeL1Validators === undefined
      ? []
      : [{ label: 'Active L1 validators', value: formatInteger(block.activeL1Validators) }]),
    ...(block.currentSupply === undefined
      ? []
      : [{ label: 'Supply', value: formatAmount(block.currentSupply, avaxDecimals, 0), note: 'AVAX' }]),
    { label: 'Size', value: formatInteger(block.blockSizeBytes), note: 'bytes' },
  ]
}

/** Why the proposer is unknown, derived from the chain's status. */
function unknownProposer(chain: PrimaryChainAlias, hasProposers: boolean | undefined): string {
  const without = `the node has no index of the ${chainLabel(chain)}`
  const early = 'the block is from before proposers were chosen'
  // Proposers of the C-Chain are read after its blocks, the newest first; those of other chains with them.
  const later =
    chain === 'c-chain' ? ', or its proposer is still to be read' : ', or the index was behind when it came'
  if (hasProposers === undefined) return `${without}, or ${early}${later}`
  return hasProposers ? `${early}${later}` : without
}

/** The header of a primary network block, and its proposer. */
export function PrimaryBlockFacts(props: Props) {
  const { block, head, network, chain } = props
  const proposer = block.proposerDetails
  const status = usePrimaryStatus(network)?.find((one) => one.chainName === chain)
  const hasProposers = status?.hasProposers
  const height = BigInt(block.blockNumber)
  const child = head !== undefined && BigInt(head) > height ? (height + 1n).toString() : undefined
  return (
    <div className="flex flex-col gap-2">
      <Figures figures={figuresOf(props)} />
      <Facts
        label="Block"
        facts={[
          { label: 'Time', value: <TimeAgo at={block.blockTimestamp} both /> },
          proposer?.proposerNodeId !== undefined && {
            label: 'Proposed by',
            value: <NodeId nodeId={proposer.proposerNodeId} network={network} full copy />,
          },
          proposer === undefined && {
            label: 'Proposer',
            value: <span className="text-muted">Not known: {unknownProposer(chain, hasProposers)}</span>,
          },
        ]}
      />
      <Disclosure look="note" summary="Header: type, parent, proposal">
        <Facts
          label="Header"
          facts={[
            {
              label: 'Type',
              value: <span className="font-mono text-mono break-all">{block.blockType}</span>,
            },
            {
              label: 'Parent',
              value: (
                <Hash
                  value={block.parentHash}
                  name="parent ID"
                  full
                  copy
                  to={
                    height === 0n ? undefined : paths.primaryBlock(network, chain, (height - 1n).toString())
                  }
                />
              ),
            },
            {
              label: 'Child',
              value:
                child === undefined ? (
                  <span className="text-muted">None yet: this is the newest indexed block</span>
                ) : (
                  <PrimaryBlockLink network={network} chain={chain} height={child} />
                ),
            },
            proposer?.proposerTimestamp !== undefined && {
              label: 'Proposed at',
              help: 'The time in the proposer’s wrapper of the block',
              value: <TimeAgo at={proposer.proposerTimestamp} both />,
            },
            proposer?.proposerPChainHeight !== undefined && {
              label: 'P-Chain height of the proposer',
              help: 'The height whose validators could propose this block',
              value: (
                <PrimaryBlockLink
                  network={network}
                  chain="p-chain"
                  height={String(proposer.proposerPChainHeight)}
                />
              ),
            },
            proposer?.proposerId !== undefined && {
              label: 'Proposal',
              help: 'The ID of the proposer’s wrapper of the block',
              value: <Hash value={proposer.proposerId} name="proposal ID" full copy />,
            },
            proposer?.proposerParentId !== undefined && {
              label: 'Parent of the proposal',
              value: <Hash value={proposer.proposerParentId} name="parent of the proposal" full copy />,
            },
            block.l1ValidatorsAccruedFees !== undefined && {
              label: 'Fees of L1 validators',
              help: 'What one L1 validator that was active from the start has paid up to this block',
              value: <Avax value={String(block.l1ValidatorsAccruedFees)} exact />,
            },
            block.currentSupply !== undefined && {
              label: 'Supply',
              value: <Avax value={block.currentSupply} exact />,
            },
          ]}
        />
      </Disclosure>
    </div>
  )
}
