import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import type { NetworkName } from '../../api/current.ts'
import { Avax, avaxDecimals } from '../../components/asset-amount.tsx'
import { countColumn, hashColumn, timeColumn, dash } from '../../components/table/column-kinds.tsx'
import { nodeColumn, primaryBlockColumn } from '../../components/table/primary-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { plainAmount } from '../../lib/amounts.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { safeText } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'

/** A block's type as text: `BanffStandardBlock` is `Banff standard`. */
export function blockTypeLabel(type: string): string {
  const words = safeText(type, 40)
    .replace(/Block$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .split(' ')
  if (words[0] === 'Evm') return 'EVM'
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(' ')
}

/** The columns of a list of blocks of a primary network chain; fees and supply are of the P-Chain. */
export function primaryBlockColumns(network: NetworkName, chain: PrimaryChainAlias): Column<PrimaryBlock>[] {
  const ofP: Column<PrimaryBlock>[] = [
    {
      id: 'fees',
      // Since the first L1 validator, not of the block.
      header: 'L1 fees so far, AVAX',
      align: 'right',
      hidden: true,
      width: '160px',
      cell: (block) =>
        block.l1ValidatorsAccruedFees === undefined ? (
          dash
        ) : (
          <Avax value={String(block.l1ValidatorsAccruedFees)} bare />
        ),
      text: (block) =>
        block.l1ValidatorsAccruedFees === undefined
          ? ''
          : plainAmount(block.l1ValidatorsAccruedFees, avaxDecimals),
    },
    countColumn('l1Validators', 'L1 validators', (block) => block.activeL1Validators, {
      hidden: true,
      width: '108px',
    }),
    {
      id: 'supply',
      header: 'Supply, AVAX',
      align: 'right',
      hidden: true,
      width: '150px',
      cell: (block) =>
        block.currentSupply === undefined ? dash : <Avax value={block.currentSupply} max={0} bare />,
      text: (block) =>
        block.currentSupply === undefined ? '' : plainAmount(block.currentSupply, avaxDecimals),
    },
  ]
  return [
    primaryBlockColumn('height', 'Block', (block) => block.blockNumber, network, chain, {
      always: true,
      width: '116px',
      narrow: 'title',
    }),
    timeColumn('age', 'Time', (block) => block.blockTimestamp, { width: '124px', narrow: 'side' }),
    {
      id: 'type',
      header: 'Type',
      width: '140px',
      cell: (block) => <span title={block.blockType}>{blockTypeLabel(block.blockType)}</span>,
      text: (block) => block.blockType,
    },
    hashColumn('hash', chain === 'c-chain' ? 'Hash' : 'ID', (block) => block.blockHash, 'block ID', {
      to: (block) => paths.primaryBlock(network, chain, block.blockHash),
      width: '176px',
      narrow: 'below',
    }),
    nodeColumn('proposer', 'Proposer', (block) => block.proposerDetails?.proposerNodeId, network),
    countColumn(
      'transactions',
      chain === 'c-chain' ? 'Atomic transactions' : 'Transactions',
      (block) => block.txCount,
      { noun: 'transaction', width: chain === 'c-chain' ? '150px' : '108px', narrow: 'belowSide' },
    ),
    ...(chain === 'p-chain' ? ofP : []),
    countColumn('size', 'Size, bytes', (block) => block.blockSizeBytes, {
      hidden: chain === 'p-chain',
      width: '110px',
    }),
  ]
}
