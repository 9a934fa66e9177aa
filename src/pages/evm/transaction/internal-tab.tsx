import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { LongList } from '../../../components/table/long-list.tsx'
import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import { movesValue } from '../../../../protocol/evm/calls.ts'
import type { CallData } from '../../../../contract/evm/transaction-calls.ts'
import type { TransactionFailure } from '../../../../contract/evm/transaction-failure.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { transactionCallsQuery, transactionFailureQuery } from '../../../api/evm/transactions.ts'
import { Address } from '../../../components/address.tsx'
import { Amount } from '../../../components/amount.tsx'
import { ChevronDownIcon, ChevronRightIcon } from '../../../components/icons.ts'
import { Pill } from '../../../components/pill.tsx'
import { EmptyState, UnsupportedState } from '../../../components/states.tsx'
import { formatInteger, formatShare } from '../../../lib/amounts.ts'
import { methodLabel, safeText } from '../../../lib/text.ts'
import { Outputs } from '../functions/output-value.tsx'
import { NotKeptState } from '../../shared/not-kept.tsx'
import { callWords } from './call-words.ts'
import { DecodedCall, RawBytes } from './decoded.tsx'
import { hasInner, shownCalls, type InternalCall } from './call-tree.ts'

const deepest = 12

/** Pixels of a row on one line, the estimate for those that are not drawn. */
const rowHeight = 41

/** The gas of a call as a bar, in proportion to the gas of the whole transaction. */
function GasBar({ used, total }: { used: string; total: string }) {
  const share = formatShare(used, total)
  return (
    <span className="flex items-center gap-2" title={share && `${share} % of the transaction’s gas`}>
      <span className="w-28 text-right text-muted">{formatInteger(used)} gas</span>
      <span className="h-2 w-24 rounded-small bg-hover" aria-hidden="true">
        <span
          className="block h-full rounded-small bg-series-3"
          style={{ width: `${Math.min(100, Number(share) || 0)}%` }}
        />
      </span>
    </span>
  )
}

type RowProps = {
  call: Pick<InternalCall, 'internalTxType' | 'from' | 'to' | 'value' | 'gasUsed'>
  method: string
  /** Where the row's own content begins: the depth in the tree, 0 for the transaction's own call. */
  depth: number
  total: string
  chain: ChainFacts
  failed: string | undefined
  isOrigin: boolean
  toggle?: ReactNode
  /** What was passed and returned; undefined until it is known. */
  data: CallData | undefined
}

/** What a call was given and what it returned, decoded as far as it is known. */
function Details({ data, chain }: { data: CallData; chain: ChainFacts }) {
  const { call, results, error, input, output } = data
  return (
    <dl className="order-last flex min-w-0 basis-full flex-col gap-2 py-1 md:pl-7">
      <div className="min-w-0">
        <dt className="text-muted">Called with</dt>
        <dd>
          {call ? (
            <DecodedCall decoded={call} chainId={chain.chainId} />
          ) : (
            <RawBytes value={input ?? '0x'} name="input" />
          )}
        </dd>
      </div>
      {output !== undefined && (
        <div className="min-w-0">
          <dt className="text-muted">{error ? 'Failed with' : 'Returned'}</dt>
          <dd>
            {error ? (
              <DecodedCall decoded={error} chainId={chain.chainId} />
            ) : results ? (
              <Outputs outputs={results} chainId={chain.chainId} />
            ) : (
              <RawBytes value={output} name="output" />
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** The function of a call, with its arguments and results once they are known; pressed, it shows them whole. */
function Method({ method, data, chain }: { method: string; data: CallData | undefined; chain: ChainFacts }) {
  const [isOpen, setOpen] = useState(false)
  // A plain transfer has neither.
  if (data?.input === undefined || (data.input === '0x' && (data.output ?? '0x') === '0x'))
    return method === '' ? null : <span className="font-mono text-mono text-muted">{method}</span>
  return (
    <>
      <button
        type="button"
        className="reach min-w-0 rounded-small text-left font-mono text-mono wrap-anywhere text-muted underline decoration-dotted underline-offset-4 hover:text-text"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {callWords(data) ?? (method === '' ? 'Input and output' : method)}
      </button>
      {isOpen && <Details data={data} chain={chain} />}
    </>
  )
}

function Row({ call, method, depth, total, chain, failed, isOrigin, toggle, data }: RowProps) {
  return (
    <div
      className={`flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 ${isOrigin ? 'bg-bad-soft' : ''}`}
      style={{ paddingLeft: Math.min(deepest, depth) * 16 }}
    >
      <span className="flex items-center gap-1">
        <span className="inline-flex justify-center md:w-6">{toggle}</span>
        <span className="rounded-small bg-hover px-1.5 font-mono text-xs leading-5">
          {call.internalTxType}
        </span>
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-1.5">
        <Address {...call.from} chainId={chain.chainId} />
        <span className="text-muted">to</span>
        {call.to.address === '' ? (
          <span className="text-muted">no contract</span>
        ) : (
          <Address {...call.to} chainId={chain.chainId} />
        )}
      </span>
      <Method method={method} data={data} chain={chain} />
      {failed !== undefined && <Pill state="failed">{safeText(failed, 120)}</Pill>}
      {isOrigin && <span className="text-xs font-strong text-bad">Failed here</span>}
      <span className="flex flex-wrap items-center gap-4 md:ml-auto">
        {movesValue(call.internalTxType, BigInt(call.value)) && (
          <Amount value={call.value} decimals={chain.decimals} symbol={chain.symbol} />
        )}
        <GasBar used={call.gasUsed} total={total} />
      </span>
    </div>
  )
}

function CallTree({
  details,
  calls,
  chain,
  origin,
  data,
}: {
  details: TransactionDetails
  calls: readonly InternalCall[]
  chain: ChainFacts
  origin: TransactionFailure['call']
  /** Of the transaction's own call, then of the others. */
  data: readonly CallData[] | undefined
}) {
  const { nativeTransaction: tx } = details
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const fold = (index: number): void =>
    setFolded((now) => new Set(now.has(index) ? [...now].filter((one) => one !== index) : [...now, index]))
  const shared = { chain, total: tx.gasUsed }
  const isCreation = tx.method?.callType === 'CONTRACT_CREATION'
  // What the transaction itself was given is stored: no node needs to trace it.
  const ownCall = { input: tx.input, ...(details.decodedInput && { call: details.decodedInput }) }
  return (
    <div className="border-t border-line">
      <Row
        {...shared}
        call={{ ...tx, internalTxType: isCreation ? 'CREATE' : 'CALL' }}
        method={isCreation ? '' : methodLabel(tx.method?.methodName, tx.method?.methodHash)}
        depth={0}
        failed={tx.txStatus === '0' ? 'Reverted' : undefined}
        isOrigin={origin?.depth === 0}
        data={data?.[0] ?? ownCall}
      />
      <LongList
        label="Internal calls"
        items={shownCalls(calls, folded)}
        keyOf={({ index }) => index}
        height={rowHeight}
        renderItem={({ call, index }) => (
          <Row
            {...shared}
            call={call}
            method={methodLabel(call.methodName, call.methodHash)}
            depth={call.depth ?? 1}
            failed={call.isReverted ? (call.error ?? 'Reverted') : undefined}
            isOrigin={origin?.internalIndex === index}
            data={data?.[index + 1]}
            toggle={
              hasInner(calls, index) && (
                <button
                  type="button"
                  className="reach inline-flex size-6 items-center justify-center rounded-small text-muted"
                  aria-expanded={!folded.has(index)}
                  aria-label={`Calls of call ${index + 1}`}
                  onClick={() => fold(index)}
                >
                  {folded.has(index) ? <ChevronRightIcon size={14} /> : <ChevronDownIcon size={14} />}
                </button>
              )
            }
          />
        )}
      />
    </div>
  )
}

/** The calls of a transaction as a tree, in their order, with their gas; the one where a failure began is marked. */
export function InternalTab({ details, chain }: { details: TransactionDetails; chain: ChainFacts }) {
  const { internalTransactions: calls, tracesFrom } = details
  const failed = details.nativeTransaction.txStatus === '0'
  const failure = useQuery({ ...transactionFailureQuery(details, chain.chainId), enabled: failed })
  const given = useQuery({
    ...transactionCallsQuery(details, chain.chainId),
    enabled: calls !== undefined && calls.length > 0,
  })
  if (tracesFrom !== undefined) return <NotKeptState kept={{ tracesFrom }} />
  if (details.nativeTransaction.isIndexed === false)
    return <EmptyState title="Not indexed">Internal calls are known once the block is indexed.</EmptyState>
  if (calls === undefined)
    return (
      <UnsupportedState title="Not traced">
        <p>
          The node of {chain.name} could not trace this block, so its internal calls are not known. That does
          not mean that there were none. They appear once the node can trace it: that needs
          debug_traceBlockByNumber or trace_block, and the state of this block, which an archive node keeps.
        </p>
      </UnsupportedState>
    )
  if (calls.length === 0)
    return <EmptyState title="No internal calls">The code that ran called nothing else.</EmptyState>
  return (
    <>
      {given.error && (
        <p className="mb-2 text-muted">
          Arguments and results are not shown: {safeText(given.error.message, 200)}
        </p>
      )}
      <CallTree
        details={details}
        calls={calls}
        chain={chain}
        origin={failure.data?.call}
        data={given.data?.calls}
      />
    </>
  )
}
