import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Amount, Decimal } from '../../components/amount.tsx'
import { countColumn, hashColumn, timeColumn } from '../../components/table/column-kinds.tsx'
import { addressColumn, blockColumn } from '../../components/table/evm-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { formatGwei, formatInteger, formatShare, plainAmount } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'

/** Gas used as a share of the limit, as figure and bar. */
function GasBar({ used, limit }: { used: string; limit: string }) {
  const share = formatShare(used, limit)
  return (
    <span
      className="inline-flex items-center justify-end gap-2"
      title={`${formatInteger(used)} of ${formatInteger(limit)} gas`}
    >
      <span>{share === '' ? '–' : `${share} %`}</span>
      <span className="h-1.5 w-10 overflow-hidden rounded-full bg-hover" aria-hidden="true">
        <span className="block h-full bg-series-3" style={{ width: `${share || 0}%` }} />
      </span>
    </span>
  )
}

/** The columns of a list of blocks. */
export function blockColumns(chain: ChainFacts): Column<EvmBlock>[] {
  const { chainId, decimals, symbol } = chain
  return [
    blockColumn('height', 'Block', (block) => block.blockNumber, chainId, {
      always: true,
      width: '116px',
      narrow: 'title',
    }),
    timeColumn('age', 'Time', (block) => block.blockTimestamp, { width: '200px', narrow: 'side' }),
    hashColumn('hash', 'Hash', (block) => block.blockHash, 'block hash', {
      to: (block) => paths.block(chainId, block.blockHash),
      width: '176px',
      narrow: 'below',
    }),
    addressColumn('miner', 'Fee recipient', (block) => block.miner, chainId, {
      hidden: true,
      width: '180px',
    }),
    countColumn('transactions', 'Transactions', (block) => block.txCount, {
      noun: 'transaction',
      width: '108px',
      narrow: 'belowSide',
    }),
    {
      id: 'gas',
      header: 'Gas used',
      align: 'right',
      width: '128px',
      cell: (block) => <GasBar used={block.gasUsed} limit={block.gasLimit} />,
      text: (block) => block.gasUsed,
    },
    countColumn('limit', 'Gas limit', (block) => block.gasLimit, { hidden: true, width: '120px' }),
    {
      id: 'baseFee',
      header: 'Base fee, gwei',
      align: 'right',
      width: '120px',
      cell: (block) => <Decimal text={formatGwei(block.baseFee)} />,
      text: (block) => plainAmount(block.baseFee, 9),
    },
    {
      id: 'fees',
      header: symbol ? `Fees, ${symbol}` : 'Fees',
      align: 'right',
      cell: (block) => <Amount value={block.feesSpent} decimals={decimals} />,
      text: (block) => plainAmount(block.feesSpent, decimals),
    },
    countColumn('size', 'Size, bytes', (block) => block.blockSizeBytes, { hidden: true, width: '110px' }),
  ]
}
