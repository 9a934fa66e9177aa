import { useState } from 'react'
import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { Amount } from '../../../components/amount.tsx'
import { Button } from '../../../components/controls.tsx'
import { Link } from '../../../components/link.tsx'
import { Boundary } from '../../../components/part.tsx'
import { Pill } from '../../../components/pill.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { exactAmount, formatInteger, formatShare } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { Facts } from '../../shared/facts.tsx'
import { NotKept } from '../../shared/not-kept.tsx'
import { feeOf } from '../method-label.tsx'
import { DecodedCall, RawBytes } from './decoded.tsx'
import { transfersOf } from './transfers.ts'
import { TransferList } from './transfers-tab.tsx'
import { EnvelopeFacts } from './envelope-facts.tsx'

const typeNames: Record<number, string> = {
  0: '0, legacy',
  1: '1, with access list',
  2: '2, dynamic fee',
  3: '3, with blobs',
  4: '4, sets code',
}

/** Why a transaction has a name instead of the hash of its fields. */
const hashWords = {
  IMPERSONATION:
    'Its hash is the node’s name for it: the node sent it for an account whose key it does not have, so there is no signature.',
  SYSTEM:
    'Its hash is the node’s name for it: nobody sent it, the chain did it by itself after the transactions of the block.',
} as const

/** Maximum number of token transfers on the first tab. */
const maxTransfers = 5

/** What a transaction moved, did and paid, the most asked for first. */
export function OverviewTab({
  details,
  chain,
  onAllTransfers,
}: {
  details: TransactionDetails
  chain: ChainFacts
  onAllTransfers: () => void
}) {
  const transfers = transfersOf(details)
  return (
    <>
      <NotKept kept={details} />
      {details.nativeTransaction.hashGivenBy && (
        <p className="pb-3 text-muted">{hashWords[details.nativeTransaction.hashGivenBy]}</p>
      )}
      {transfers.length > 0 && (
        <div className="pb-4">
          <TransferList transfers={transfers.slice(0, maxTransfers)} chain={chain} />
          {transfers.length > maxTransfers && (
            <Button small className="mt-2" onClick={onAllTransfers}>
              All {formatInteger(transfers.length)} transfers
            </Button>
          )}
        </div>
      )}
      <TransactionFacts details={details} chain={chain} />
      {details.nativeTransaction.txType > 0 && <Envelope details={details} chain={chain} />}
    </>
  )
}

/**
 * The access list, blobs and authorizations come from the node and are last, so that nothing shifts. Few transactions
 * with a dynamic fee have an access list: of those it is asked for on demand.
 */
function Envelope({
  details: { nativeTransaction: tx },
  chain,
}: {
  details: TransactionDetails
  chain: ChainFacts
}) {
  const [isShown, setShown] = useState(tx.txType !== 2)
  if (!isShown)
    return (
      <Button small className="mt-2" onClick={() => setShown(true)}>
        Show the access list
      </Button>
    )
  return (
    <Boundary title="The envelope">
      <EnvelopeFacts txHash={tx.txHash} chain={chain} />
    </Boundary>
  )
}

function TransactionFacts({ details, chain }: { details: TransactionDetails; chain: ChainFacts }) {
  const tx = details.nativeTransaction
  const { chainId, decimals, symbol } = chain
  const creates = tx.method?.callType === 'CONTRACT_CREATION' || tx.contractAddress !== undefined
  const share = formatShare(tx.gasUsed, tx.gasLimit)
  return (
    <Facts
      label="Transaction"
      facts={[
        {
          label: 'Block',
          value: (
            <>
              <Link to={paths.block(chainId, tx.blockNumber)} className="link" data-value={tx.blockNumber}>
                {formatInteger(tx.blockNumber)}
              </Link>
              <span className="text-muted">
                position {formatInteger(tx.blockIndex + 1)}
                {tx.blockTxCount !== undefined && ` of ${formatInteger(tx.blockTxCount)}`}
              </span>
            </>
          ),
        },
        { label: 'Time', value: <TimeAgo at={tx.blockTimestamp} both /> },
        {
          label: 'From',
          value: <Address {...tx.from} chainId={chainId} full copy />,
        },
        {
          label: creates ? 'Creates' : 'To',
          value: (
            <>
              <Address {...tx.to} address={tx.contractAddress ?? tx.to.address} chainId={chainId} full copy />
              {creates && <Pill state="neutral">contract</Pill>}
            </>
          ),
        },
        { label: 'Value', value: <Amount value={tx.value} decimals={decimals} symbol={symbol} exact /> },
        {
          label: 'Fee',
          help:
            tx.blobGasUsed === undefined
              ? 'Gas used times the effective gas price'
              : 'Gas used times the effective gas price, and blob gas used times its price',
          value: <Amount value={feeOf(tx)} decimals={decimals} symbol={symbol} exact />,
        },
        {
          label: 'Gas',
          value: (
            <>
              {formatInteger(tx.gasUsed)} of {formatInteger(tx.gasLimit)}
              {share && <span className="text-muted">{share} %</span>}
            </>
          ),
        },
        {
          label: 'Gas price',
          value: (
            <>
              {exactAmount(tx.gasPrice, 9)} gwei
              {tx.baseFeePerGas !== '0' && (
                <span className="text-muted">
                  base fee {tx.isSettled !== undefined && 'at most '}
                  {exactAmount(tx.baseFeePerGas, 9)} gwei
                </span>
              )}
              {tx.maxFeePerGas !== undefined && (
                <span className="text-muted">at most {exactAmount(tx.maxFeePerGas, 9)} gwei</span>
              )}
              {tx.maxPriorityFeePerGas !== undefined && (
                <span className="text-muted">tip at most {exactAmount(tx.maxPriorityFeePerGas, 9)} gwei</span>
              )}
            </>
          ),
        },
        { label: 'Nonce', value: formatInteger(tx.nonce) },
        { label: 'Type', value: typeNames[tx.txType] ?? String(tx.txType) },
        details.decodedInput !== undefined && {
          label: 'Calls',
          value: <DecodedCall decoded={details.decodedInput} chainId={chainId} contract={tx.to} />,
        },
        {
          label: 'Input',
          value:
            tx.input === '0x' ? (
              <span className="text-muted">None (plain transfer)</span>
            ) : (
              <>
                {details.decodedInput === undefined && tx.method !== undefined && !creates && (
                  <span className="text-muted">
                    {tx.method.methodName ?? (
                      <>
                        The signature of <span className="font-mono text-mono">{tx.method.methodHash}</span>{' '}
                        is not known, so the input is not decoded.
                      </>
                    )}
                  </span>
                )}
                <RawBytes value={tx.input} name="input" />
              </>
            ),
        },
      ]}
    />
  )
}
