import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { TransactionFailure } from '../../../../contract/evm/transaction-failure.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { transactionFailureQuery } from '../../../api/evm/transactions.ts'
import { Address } from '../../../components/address.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { formatInteger, formatShare } from '../../../lib/amounts.ts'
import { methodLabel } from '../../../lib/text.ts'
import { Failed } from '../../shared/failed.tsx'
import { notKeptWords } from '../../shared/not-kept.tsx'
import { DecodedCall, RawBytes } from './decoded.tsx'
import { errorText, kindText, sourceText } from './failure.ts'

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-x-4 py-1 md:grid-cols-[168px_minmax(0,1fr)]">
      <dt className="leading-6 text-muted">{label}</dt>
      <dd className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2">{children}</dd>
    </div>
  )
}

function Place({ call, chain }: { call: NonNullable<TransactionFailure['call']>; chain: ChainFacts }) {
  const method = methodLabel(call.methodName, call.methodHash)
  const share = formatShare(call.gasUsed, call.gasLimit)
  return (
    <>
      <Row label="Failed in">
        {call.to.address === '' ? (
          'The contract that was to be created'
        ) : (
          <Address {...call.to} chainId={chain.chainId} />
        )}
        {method !== '' && (
          <span className="font-mono text-mono" title={call.methodName}>
            {method}
          </span>
        )}
        <span className="text-muted">
          {call.depth === 0 ? 'the transaction’s own call' : `call at depth ${call.depth}`}
        </span>
      </Row>
      <Row label="Gas of this call">
        {formatInteger(call.gasUsed)} of {formatInteger(call.gasLimit)}
        {share && <span className="text-muted">{share} %</span>}
      </Row>
    </>
  )
}

function Reason({ failure, chain }: { failure: TransactionFailure; chain: ChainFacts }) {
  const { call, error, data } = failure
  const text = errorText(failure)
  return (
    <>
      <dl>
        <Row label="Error">
          {text !== undefined && <span className="font-mono text-mono break-all">{text}</span>}
          <span className={text === undefined ? '' : 'text-muted'}>{kindText(failure)}</span>
        </Row>
        {call && <Place call={call} chain={chain} />}
      </dl>
      <p className="py-1 text-xs text-muted">
        {sourceText(failure)} {notKeptWords(failure)}
      </p>
      {data !== undefined && (
        <Disclosure look="note" summary="Arguments and data">
          {error && <DecodedCall decoded={error} chainId={chain.chainId} />}
          <RawBytes value={data} name="revert data" />
        </Disclosure>
      )}
    </>
  )
}

/** Why a failed transaction failed: the error, the call it came from, and how that is known. */
export function FailureBlock({ details, chain }: { details: TransactionDetails; chain: ChainFacts }) {
  const query = useQuery(transactionFailureQuery(details, chain.chainId))
  if (query.data) return <Reason failure={query.data} chain={chain} />
  if (query.isPending) return <SkeletonRows count={4} />
  return <Failed title="The reason could not be loaded." query={query} />
}
