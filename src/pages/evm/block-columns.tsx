import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import type { Column } from '../../components/table/columns.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatGwei, formatInteger, formatShare, plainAmount } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { isoTime } from '../../lib/time.ts'
import { paths } from '../../lib/paths.ts'

/** Gas used as a share of the limit, in figures and as a bar. */
export function GasBar({ used, limit }: { used: string; limit: string }) {
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
    {
      id: 'height',
      header: 'Block',
      always: true,
      width: '116px',
      narrow: 'title',
      cell: (block) => (
        <Link to={paths.block(chainId, block.blockNumber)} className="link" data-value={block.blockNumber}>
          {formatInteger(block.blockNumber)}
        </Link>
      ),
      text: (block) => block.blockNumber,
    },
    {
      id: 'age',
      header: 'Time',
      width: '200px',
      narrow: 'side',
      cell: (block) => <TimeAgo at={block.blockTimestamp} />,
      text: (block) => isoTime(block.blockTimestamp),
    },
    {
      id: 'hash',
      header: 'Hash',
      width: '176px',
      narrow: 'below',
      cell: (block) => (
        <Hash value={block.blockHash} name="block hash" to={paths.block(chainId, block.blockHash)} />
      ),
      text: (block) => block.blockHash,
    },
    {
      id: 'miner',
      header: 'Fee recipient',
      hidden: true,
      width: '180px',
      cell: (block) => (block.miner ? <Address address={block.miner} chainId={chainId} /> : '–'),
      text: (block) => block.miner ?? '',
    },
    {
      id: 'transactions',
      header: 'Transactions',
      align: 'right',
      width: '108px',
      narrow: 'belowSide',
      cell: (block) => (
        <>
          {formatInteger(block.txCount)}
          <span className="md:hidden"> {plural(block.txCount, 'transaction')}</span>
        </>
      ),
      text: (block) => String(block.txCount),
    },
    {
      id: 'gas',
      header: 'Gas used',
      align: 'right',
      width: '128px',
      cell: (block) => <GasBar used={block.gasUsed} limit={block.gasLimit} />,
      text: (block) => block.gasUsed,
    },
    {
      id: 'limit',
      header: 'Gas limit',
      align: 'right',
      hidden: true,
      width: '120px',
      cell: (block) => formatInteger(block.gasLimit),
      text: (block) => block.gasLimit,
    },
    {
      id: 'baseFee',
      header: 'Base fee, gwei',
      align: 'right',
      width: '120px',
      cell: (block) => formatGwei(block.baseFee),
      text: (block) => plainAmount(block.baseFee, 9),
    },
    {
      id: 'fees',
      header: symbol ? `Fees, ${symbol}` : 'Fees',
      align: 'right',
      cell: (block) => <Amount value={block.feesSpent} decimals={decimals} />,
      text: (block) => plainAmount(block.feesSpent, decimals),
    },
    {
      id: 'size',
      header: 'Size, bytes',
      align: 'right',
      hidden: true,
      width: '110px',
      cell: (block) => (block.blockSizeBytes === undefined ? '–' : formatInteger(block.blockSizeBytes)),
      text: (block) => String(block.blockSizeBytes ?? ''),
    },
  ]
}
