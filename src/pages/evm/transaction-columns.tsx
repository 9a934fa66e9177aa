import type { MovedTransaction } from '../../api/evm/movements.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Address } from '../../components/address.tsx'
import { Amount, Decimal } from '../../components/amount.tsx'
import { Hash } from '../../components/hash.tsx'
import { countColumn, dash, timeColumn } from '../../components/table/column-kinds.tsx'
import { blockColumn } from '../../components/table/evm-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { nameOf } from '../../components/tokens/token-amount.tsx'
import { TxStatus } from '../../components/tx-status.tsx'
import { formatGwei, plainAmount } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { shorten } from '../../lib/text.ts'
import { feeOf, MethodCell } from './method-label.tsx'
import { movedText } from './moved.ts'
import { MovedCell } from './moved-cell.tsx'

type Options = { /** Leaves out the block and time, which the page says once. */ inBlock?: boolean }

type PartyProps = {
  tx: MovedTransaction
  side: 'from' | 'to'
  chainId: string
  /** Shortens an address without a name further, for the first line of a row on a phone. */
  brief?: boolean
}

/** The sender or the recipient by its name; a contract without one is called so. A failed creation has no recipient. */
function TxParty({ tx, side, chainId, brief = false }: PartyProps) {
  const party = { ...tx[side], ...tx.movements?.[side] }
  if (party.address === '') return <span className="text-muted">nobody</span>
  const isContract = side === 'to' && tx.movements?.isToContract === true
  const short = brief ? shorten(party.address, 2, 4) : undefined
  return <Address {...party} otherwise={isContract ? 'contract' : short} chainId={chainId} beside />
}

/** The columns of a list of transactions. On a phone: method, recipient and time, then the hash and the amount. */
export function transactionColumns(chain: ChainFacts, options: Options = {}): Column<MovedTransaction>[] {
  const { chainId, decimals, symbol } = chain
  const unit = symbol ? `, ${symbol}` : ''
  const columns: Column<MovedTransaction>[] = [
    {
      id: 'hash',
      header: 'Transaction',
      always: true,
      width: '172px',
      narrow: 'below',
      cell: (tx) => (
        <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
          <span className="max-md:hidden">
            <TxStatus status={tx.txStatus} compact />
          </span>
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
      width: '124px',
      narrow: 'title',
      cell: (tx) => (
        <MethodCell transaction={tx} way="to" party={<TxParty tx={tx} side="to" chainId={chainId} brief />} />
      ),
      text: (tx) => tx.method?.methodName ?? tx.method?.methodHash ?? '',
    },
    blockColumn('block', 'Block', (tx) => tx.blockNumber, chainId, { width: '76px' }),
    countColumn('index', 'Index', (tx) => tx.blockIndex, { hidden: options.inBlock !== true, width: '64px' }),
    timeColumn('age', 'Time', (tx) => tx.blockTimestamp, { width: '104px', narrow: 'side' }),
    {
      id: 'from',
      header: 'From',
      width: '180px',
      cell: (tx) => <TxParty tx={tx} side="from" chainId={chainId} />,
      text: (tx) => tx.from.address,
    },
    {
      id: 'to',
      header: 'To',
      cell: (tx) => <TxParty tx={tx} side="to" chainId={chainId} />,
      text: (tx) => tx.to.address,
    },
    {
      id: 'toName',
      header: 'Name of the recipient',
      hidden: true,
      width: '160px',
      cell: (tx) => nameOf(tx.movements?.to ?? tx.to) || dash,
      text: (tx) => nameOf(tx.movements?.to ?? tx.to),
    },
    {
      id: 'moved',
      header: 'Amount',
      align: 'right',
      width: '184px',
      narrow: 'belowSide',
      cell: (tx) => <MovedCell tx={tx} chain={chain} />,
      text: (tx) => movedText(tx, chain),
    },
    {
      id: 'value',
      header: `Value${unit}`,
      align: 'right',
      hidden: true,
      width: '120px',
      cell: (tx) => <Amount value={tx.value} decimals={decimals} />,
      text: (tx) => plainAmount(tx.value, decimals),
    },
    {
      id: 'fee',
      header: `Fee${unit}`,
      align: 'right',
      width: '112px',
      cell: (tx) => <Amount value={feeOf(tx)} decimals={decimals} max={4} />,
      text: (tx) => plainAmount(feeOf(tx), decimals),
    },
    {
      id: 'gasPrice',
      header: 'Gas price, gwei',
      align: 'right',
      hidden: true,
      width: '120px',
      cell: (tx) => <Decimal text={formatGwei(tx.gasPrice)} />,
      text: (tx) => plainAmount(tx.gasPrice, 9),
    },
    countColumn('nonce', 'Nonce', (tx) => tx.nonce, { hidden: true, width: '80px' }),
  ]
  return options.inBlock ? columns.filter(({ id }) => id !== 'block' && id !== 'age') : columns
}
