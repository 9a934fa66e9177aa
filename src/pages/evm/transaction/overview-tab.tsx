import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { Amount } from '../../../components/amount.tsx'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatGwei, formatInteger, formatShare } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { Facts } from '../../shared/facts.tsx'
import { feeOf } from '../method-label.tsx'
import { DecodedCall, RawBytes } from './decoded.tsx'

const typeNames: Record<number, string> = {
  0: '0, legacy',
  1: '1, with access list',
  2: '2, dynamic fee',
  3: '3, with blobs',
  4: '4, sets code',
}

/** What a transaction did and paid, the most asked for first. */
export function OverviewTab({ details, chain }: { details: TransactionDetails; chain: ChainFacts }) {
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
          value: <Address address={tx.from.address} name={tx.from.name} chainId={chainId} full copy />,
        },
        {
          label: creates ? 'Creates' : 'To',
          value: (
            <>
              <Address
                address={tx.contractAddress ?? tx.to.address}
                name={tx.to.name}
                chainId={chainId}
                full
                copy
              />
              {creates && <Pill state="neutral">contract</Pill>}
            </>
          ),
        },
        { label: 'Value', value: <Amount value={tx.value} decimals={decimals} symbol={symbol} most={18} /> },
        {
          label: 'Fee',
          help: 'Gas used times the effective gas price',
          value: <Amount value={feeOf(tx)} decimals={decimals} symbol={symbol} most={18} />,
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
              {formatGwei(tx.gasPrice, 9)} gwei
              {tx.baseFeePerGas !== '0' && (
                <span className="text-muted">
                  base fee {tx.isSettled !== undefined && 'at most '}
                  {formatGwei(tx.baseFeePerGas, 9)} gwei
                </span>
              )}
              {tx.maxFeePerGas !== undefined && (
                <span className="text-muted">at most {formatGwei(tx.maxFeePerGas, 9)} gwei</span>
              )}
              {tx.maxPriorityFeePerGas !== undefined && (
                <span className="text-muted">tip at most {formatGwei(tx.maxPriorityFeePerGas, 9)} gwei</span>
              )}
            </>
          ),
        },
        { label: 'Nonce', value: formatInteger(tx.nonce) },
        { label: 'Type', value: typeNames[tx.txType] ?? String(tx.txType) },
        details.decodedInput !== undefined && {
          label: 'Calls',
          value: <DecodedCall decoded={details.decodedInput} chainId={chainId} />,
        },
        {
          label: 'Input',
          value:
            tx.input === '0x' ? (
              <span className="text-muted">None: the native token is sent</span>
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
