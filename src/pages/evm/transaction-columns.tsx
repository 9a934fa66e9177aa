import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { Hash } from '../../components/hash.tsx'
import { countColumn, timeColumn } from '../../components/table/column-kinds.tsx'
import { blockColumn } from '../../components/table/evm-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { TxStatus } from '../../components/tx-status.tsx'
import { formatGwei, plainAmount } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { feeOf, MethodLabel } from './method-label.tsx'

type Options = { /** Leaves out the block and time, which the page says once. */ inBlock?: boolean }

/** The columns of a list of transactions. */
export function transactionColumns(chain: ChainFacts, options: Options = {}): Column<EvmTransaction>[] {
  const { chainId, decimals, symbol } = chain
  const unit = symbol ? `, ${symbol}` : ''
  const columns: Column<EvmTransaction>[] = [
    {
      id: 'hash',
      header: 'Transaction',
      always: true,
      width: '190px',
      narrow: 'title',
      cell: (tx) => (
        <span className="inline-flex items-center gap-1.5">
          <TxStatus status={tx.txStatus} compact />
          <Hash value={tx.txHash} name="transaction hash" to={paths.transaction(chainId, tx.txHash)} />
        </span>
      ),
      text: (tx) => tx.txHash,
    },
    {
      id: 'status',
      header: 'Status',
      hidden: true,
      width: '120px',
      cell: (tx) => <TxStatus status={tx.txStatus} />,
      text: (tx) => (tx.txStatus === '1' ? 'ok' : tx.txStatus === '0' ? 'failed' : tx.txStatus),
    },
    {
      id: 'method',
      header: 'Method',
      width: '128px',
      cell: (tx) => <MethodLabel transaction={tx} />,
      text: (tx) => tx.method?.methodName ?? tx.method?.methodHash ?? '',
    },
    blockColumn('block', 'Block', (tx) => tx.blockNumber, chainId, { width: '84px' }),
    countColumn('index', 'Index', (tx) => tx.blockIndex, { hidden: options.inBlock !== true, width: '64px' }),
    timeColumn('age', 'Time', (tx) => tx.blockTimestamp, { width: '110px', narrow: 'side' }),
    {
      id: 'from',
      header: 'From',
      narrow: 'below',
      cell: (tx) => <Address address={tx.from.address} name={tx.from.name} chainId={chainId} />,
      text: (tx) => tx.from.address,
    },
    {
      id: 'to',
      header: 'To',
      cell: (tx) => <Address address={tx.to.address} name={tx.to.name} chainId={chainId} />,
      text: (tx) => tx.to.address,
    },
    {
      id: 'value',
      header: `Value${unit}`,
      align: 'right',
      width: '120px',
      narrow: 'belowSide',
      cell: (tx) => (
        <>
          <Amount value={tx.value} decimals={decimals} />
          <span className="md:hidden"> {symbol}</span>
        </>
      ),
      text: (tx) => plainAmount(tx.value, decimals),
    },
    {
      id: 'fee',
      header: `Fee${unit}`,
      align: 'right',
      width: '112px',
      cell: (tx) => <Amount value={feeOf(tx)} decimals={decimals} most={4} />,
      text: (tx) => plainAmount(feeOf(tx), decimals),
    },
    {
      id: 'gasPrice',
      header: 'Gas price, gwei',
      align: 'right',
      hidden: true,
      width: '120px',
      cell: (tx) => formatGwei(tx.gasPrice),
      text: (tx) => plainAmount(tx.gasPrice, 9),
    },
    countColumn('nonce', 'Nonce', (tx) => tx.nonce, { hidden: true, width: '80px' }),
  ]
  return options.inBlock ? columns.filter(({ id }) => id !== 'block' && id !== 'age') : columns
}
