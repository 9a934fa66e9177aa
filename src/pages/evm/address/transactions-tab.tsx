import { useMemo } from 'react'
import type { AddressTransaction } from '../../../../contract/evm/addresses.ts'
import { Amount } from '../../../components/amount.tsx'
import { Hash } from '../../../components/hash.tsx'
import { Party, sideOf, SideTag, type Side } from '../../../components/party.tsx'
import { countColumn, timeColumn, dash } from '../../../components/table/column-kinds.tsx'
import { blockColumn } from '../../../components/table/evm-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { TxStatus } from '../../../components/tx-status.tsx'
import { plainAmount } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { feeOf, MethodCell } from '../method-label.tsx'
import { Activity, type Subject } from './activity.tsx'
import { effectsOf, directionOf, type Effect } from './effects.ts'

/** The most characters of two effects in one cell. */
const maxLetters = 25

const lettersOf = ({ text, item = '' }: Effect): number => text.length + item.length

/** The effects of a transaction, the largest in one line; all of them in the title. */
function Effects({ row, address, chain }: { row: AddressTransaction } & Subject) {
  const effects = effectsOf(row, address, chain)
  if (effects.length === 0) return dash
  const room = effects[0] && effects[1] && lettersOf(effects[0]) + lettersOf(effects[1]) <= maxLetters
  const shown = effects.slice(0, room ? 2 : 1)
  const rest = effects.length - shown.length
  return (
    <span
      className="inline-flex max-w-full min-w-0 items-center gap-2 align-middle"
      title={effects.map(({ exact }) => exact).join('\n')}
    >
      {shown.map(({ key, gain, text, item }) => (
        <span key={key} className={`flex min-w-0 ${gain === true ? 'text-ok' : ''}`}>
          <span className={item === undefined ? 'truncate' : 'shrink-0 whitespace-pre'}>{text}</span>
          {item !== undefined && <span className="truncate">{item}</span>}
        </span>
      ))}
      {rest > 0 && <span className="shrink-0 text-xs text-muted">and {rest} more</span>}
    </span>
  )
}

/** On a phone, which has no column for it: the transaction's own value unless it is 0 beside effects, or its failure. */
function OwnValue({ row, address, chain }: { row: AddressTransaction } & Subject) {
  const { txStatus, value } = row.nativeTransaction
  if (txStatus === '0') return <span className="text-bad md:hidden">Failed</span>
  if (value === '0' && effectsOf(row, address, chain).length > 0) return null
  return (
    <span className="md:hidden">
      <Amount value={value} decimals={chain.decimals} symbol={chain.symbol} max={4} />
    </span>
  )
}

/** The other party; for a call neither from nor to the address, its sender. */
const other = ({ nativeTransaction: { from, to } }: AddressTransaction, address: string) =>
  sideOf(address, from, to) === 'out' ? to : from

const concerns = ({ nativeTransaction: { from, to } }: AddressTransaction, address: string): boolean =>
  [from.address, to.address].some((one) => one.toLowerCase() === address.toLowerCase())

/** The direction: from or to the address itself, else that of its effects; undefined if they disagree. */
function wayIn(row: AddressTransaction, { address, chain }: Subject): Side | undefined {
  const { from, to } = row.nativeTransaction
  return concerns(row, address) ? sideOf(address, from, to) : directionOf(effectsOf(row, address, chain))
}

function Way({ row, ...subject }: { row: AddressTransaction } & Subject) {
  const side = wayIn(row, subject)
  if (side) return <SideTag side={side} />
  const { word, title } = row.authorizations ? ways.signed : ways.part
  return (
    <span
      className="inline-flex h-5 items-center rounded-full bg-hover px-2 text-xs text-muted"
      title={title}
    >
      {word}
    </span>
  )
}

/** How a transaction concerns an address that neither sent nor received it, and whose tokens it did not move. */
const ways = {
  signed: {
    word: 'signed',
    title:
      'Carries an authorization that this address signed (EIP-7702): the transaction says whether it was applied',
  },
  part: {
    word: 'part',
    title: 'Neither sent nor received by this address: it is part of what happened inside',
  },
}

function columnsOf({ address, chain }: Subject): Column<AddressTransaction>[] {
  const { chainId, decimals, symbol } = chain
  const unit = symbol ? `, ${symbol}` : ''
  return [
    {
      id: 'hash',
      header: 'Transaction',
      always: true,
      width: '168px',
      narrow: 'below',
      cell: ({ nativeTransaction: tx }) => (
        <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
          <span className="max-md:hidden">
            <TxStatus status={tx.txStatus} compact />
          </span>
          <Hash value={tx.txHash} name="transaction hash" to={paths.transaction(chainId, tx.txHash)} />
        </span>
      ),
      text: ({ nativeTransaction: tx }) => tx.txHash,
    },
    {
      id: 'status',
      header: 'Status',
      hidden: true,
      width: '120px',
      cell: ({ nativeTransaction: tx }) => <TxStatus status={tx.txStatus} />,
      text: ({ nativeTransaction: { txStatus } }) =>
        txStatus === '1' ? 'ok' : txStatus === '0' ? 'failed' : txStatus,
    },
    {
      id: 'method',
      header: 'Method',
      width: '132px',
      narrow: 'title',
      cell: (row) => (
        <MethodCell
          transaction={row.nativeTransaction}
          way={wayIn(row, { address, chain }) === 'out' ? 'to' : 'from'}
          party={<Party party={other(row, address)} chainId={chainId} brief />}
        />
      ),
      text: ({ nativeTransaction: tx }) => tx.method?.methodName ?? tx.method?.methodHash ?? '',
    },
    blockColumn('block', 'Block', ({ nativeTransaction: tx }) => tx.blockNumber, chainId, { width: '72px' }),
    timeColumn('age', 'Time', ({ nativeTransaction: tx }) => tx.blockTimestamp, {
      width: '104px',
      narrow: 'side',
    }),
    {
      id: 'side',
      header: 'Direction',
      width: '80px',
      cell: (row) => <Way row={row} address={address} chain={chain} />,
      text: (row) => wayIn(row, { address, chain }) ?? (row.authorizations ? ways.signed : ways.part).word,
    },
    {
      id: 'other',
      header: 'Counterparty',
      width: '176px',
      cell: (row) => <Party party={other(row, address)} chainId={chainId} />,
    },
    {
      id: 'from',
      header: 'From',
      hidden: true,
      width: '176px',
      cell: ({ nativeTransaction: { from } }) => <Party party={from} chainId={chainId} />,
      text: ({ nativeTransaction: { from } }) => from.address,
    },
    {
      id: 'to',
      header: 'To',
      hidden: true,
      width: '176px',
      cell: ({ nativeTransaction: { to } }) => <Party party={to} chainId={chainId} />,
      text: ({ nativeTransaction: { to } }) => to.address,
    },
    {
      id: 'effects',
      header: 'Transfers in and out',
      width: '200px',
      narrow: 'belowSide',
      cell: (row) => (
        <span className="inline-flex max-w-full min-w-0 items-center gap-2">
          <OwnValue row={row} address={address} chain={chain} />
          <Effects row={row} address={address} chain={chain} />
        </span>
      ),
      text: (row) =>
        effectsOf(row, address, chain)
          .map(({ exact }) => exact)
          .join('; '),
    },
    {
      id: 'value',
      header: `Value${unit}`,
      align: 'right',
      width: '96px',
      isBlank: ({ nativeTransaction: tx }) => tx.value === '0',
      cell: ({ nativeTransaction: tx }) => <Amount value={tx.value} decimals={decimals} />,
      text: ({ nativeTransaction: tx }) => plainAmount(tx.value, decimals),
    },
    {
      id: 'fee',
      header: `Fee${unit}`,
      align: 'right',
      width: '108px',
      cell: ({ nativeTransaction: tx }) => <Amount value={feeOf(tx)} decimals={decimals} max={4} />,
      text: ({ nativeTransaction: tx }) => plainAmount(feeOf(tx), decimals),
    },
    countColumn('nonce', 'Nonce', ({ nativeTransaction: tx }) => tx.nonce, { hidden: true, width: '80px' }),
  ]
}

const hashOf = (row: AddressTransaction): string => row.nativeTransaction.txHash

/** All transactions that involve an address, with their effects on it. */
export function TransactionsTab({ address, chain }: Subject) {
  const columns = useMemo(() => columnsOf({ address, chain }), [address, chain])
  return (
    <Activity
      id="transactions"
      address={address}
      chain={chain}
      noun="transaction"
      columns={columns}
      rowKey={hashOf}
      txHash={hashOf}
      blockNumber={(row) => row.nativeTransaction.blockNumber}
      none={`This address has sent and received nothing on ${chain.name}, and no token transfer names it.`}
    />
  )
}
