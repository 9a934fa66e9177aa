import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import type { NetworkName } from '../../api/current.ts'
import { Avax, avaxDecimals } from '../../components/asset-amount.tsx'
import { Hash } from '../../components/hash.tsx'
import { NodeId } from '../../components/node-id.tsx'
import { PrimaryBlockLink } from '../../components/primary-link.tsx'
import type { Column } from '../../components/table/columns.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger, plainAmount } from '../../lib/amounts.ts'
import type { ChainAlias } from '../../lib/primary-chains.ts'
import { plural, safeText } from '../../lib/text.ts'
import { isoTime } from '../../lib/time.ts'
import { paths } from '../../lib/paths.ts'

/** A block's type as a few words: `BanffStandardBlock` is `Banff standard`. */
export function blockTypeLabel(type: string): string {
  const words = safeText(type, 40)
    .replace(/Block$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .split(' ')
  if (words[0] === 'Evm') return 'EVM'
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(' ')
}

/** The columns of a list of blocks of a primary network chain; fees and supply are of the P-chain. */
export function primaryBlockColumns(network: NetworkName, chain: ChainAlias): Column<PrimaryBlock>[] {
  const ofP: Column<PrimaryBlock>[] = [
    {
      id: 'fees',
      header: 'L1 fees, AVAX',
      align: 'right',
      width: '128px',
      cell: (block) =>
        block.l1ValidatorsAccruedFees === undefined ? (
          '–'
        ) : (
          <Avax value={String(block.l1ValidatorsAccruedFees)} bare />
        ),
      text: (block) =>
        block.l1ValidatorsAccruedFees === undefined
          ? ''
          : plainAmount(block.l1ValidatorsAccruedFees, avaxDecimals),
    },
    {
      id: 'l1Validators',
      header: 'L1 validators',
      align: 'right',
      width: '108px',
      cell: (block) =>
        block.activeL1Validators === undefined ? '–' : formatInteger(block.activeL1Validators),
      text: (block) => String(block.activeL1Validators ?? ''),
    },
    {
      id: 'supply',
      header: 'Supply, AVAX',
      align: 'right',
      hidden: true,
      width: '150px',
      cell: (block) =>
        block.currentSupply === undefined ? '–' : <Avax value={block.currentSupply} most={0} bare />,
      text: (block) =>
        block.currentSupply === undefined ? '' : plainAmount(block.currentSupply, avaxDecimals),
    },
  ]
  return [
    {
      id: 'height',
      header: 'Block',
      always: true,
      width: '116px',
      narrow: 'title',
      cell: (block) => <PrimaryBlockLink network={network} chain={chain} height={block.blockNumber} />,
      text: (block) => block.blockNumber,
    },
    {
      id: 'age',
      header: 'Time',
      width: '124px',
      narrow: 'side',
      cell: (block) => <TimeAgo at={block.blockTimestamp} />,
      text: (block) => isoTime(block.blockTimestamp),
    },
    {
      id: 'type',
      header: 'Type',
      width: '140px',
      cell: (block) => <span title={block.blockType}>{blockTypeLabel(block.blockType)}</span>,
      text: (block) => block.blockType,
    },
    {
      id: 'hash',
      header: chain === 'c-chain' ? 'Hash' : 'Id',
      width: '176px',
      narrow: 'below',
      cell: (block) => (
        <Hash
          value={block.blockHash}
          name="block id"
          to={paths.primaryBlock(network, chain, block.blockHash)}
        />
      ),
      text: (block) => block.blockHash,
    },
    {
      id: 'proposer',
      header: 'Proposer',
      cell: (block) => {
        const node = block.proposerDetails?.proposerNodeId
        return node === undefined ? '–' : <NodeId nodeId={node} network={network} />
      },
      text: (block) => block.proposerDetails?.proposerNodeId ?? '',
    },
    {
      id: 'transactions',
      header: chain === 'c-chain' ? 'Atomic transactions' : 'Transactions',
      align: 'right',
      width: chain === 'c-chain' ? '150px' : '108px',
      narrow: 'belowSide',
      cell: (block) => (
        <>
          {formatInteger(block.txCount)}
          <span className="md:hidden"> {plural(block.txCount, 'transaction')}</span>
        </>
      ),
      text: (block) => String(block.txCount),
    },
    ...(chain === 'p-chain' ? ofP : []),
    {
      id: 'size',
      header: 'Size, bytes',
      align: 'right',
      hidden: chain === 'p-chain',
      width: '110px',
      cell: (block) => formatInteger(block.blockSizeBytes),
      text: (block) => String(block.blockSizeBytes),
    },
  ]
}
