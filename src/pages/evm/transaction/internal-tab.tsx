import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { Amount } from '../../../components/amount.tsx'
import { Pill } from '../../../components/pill.tsx'
import { EmptyState, UnsupportedState } from '../../../components/states.tsx'
import { formatInteger } from '../../../lib/amounts.ts'

const deepest = 12

/** Calls made by the transaction's own code, in their order and depth. */
export function InternalTab({
  calls,
  chain,
}: {
  calls: TransactionDetails['internalTransactions']
  chain: ChainFacts
}) {
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
    <ol aria-label="Internal calls" className="border-t border-line">
      {calls.map((call, index) => (
        <li
          key={index}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2"
          style={{ paddingLeft: Math.min(deepest, Math.max(0, (call.depth ?? 1) - 1)) * 16 }}
        >
          <span className="rounded-small bg-hover px-1.5 font-mono text-xs leading-5">
            {call.internalTxType}
          </span>
          <span className="flex min-w-0 items-center gap-1.5">
            <Address address={call.from.address} name={call.from.name} chainId={chain.chainId} />
            <span className="text-muted">to</span>
            <Address address={call.to.address} name={call.to.name} chainId={chain.chainId} />
          </span>
          {call.methodHash !== undefined && (
            <span className="font-mono text-mono text-muted">{call.methodHash}</span>
          )}
          {call.isReverted && <Pill state="failed">{call.error ?? 'Reverted'}</Pill>}
          <span className="flex items-center gap-4 md:ml-auto">
            {call.value !== '0' && (
              <Amount value={call.value} decimals={chain.decimals} symbol={chain.symbol} />
            )}
            <span className="text-muted">{formatInteger(call.gasUsed)} gas</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
