import type { EvmLog, TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { NotKeptState } from '../../shared/not-kept.tsx'
import { DecodedCall, RawBytes } from './decoded.tsx'

function Log({ log, chain }: { log: EvmLog; chain: ChainFacts }) {
  return (
    <li className="grid grid-cols-[40px_minmax(0,1fr)] gap-x-2 border-b border-line py-3">
      <span className="text-muted" title="Log index in the block">
        {log.logIndex}
      </span>
      <div className="flex min-w-0 flex-col gap-2">
        <Address address={log.address} {...log.contract} chainId={chain.chainId} full copy />
        {log.event ? (
          <DecodedCall decoded={log.event} chainId={chain.chainId} contract={log.contract} />
        ) : (
          <p className="text-muted">
            {log.topics.length === 0
              ? 'An anonymous log: it has no topic to tell its event by.'
              : 'The signature of this event is not known, so it is shown as it is.'}
          </p>
        )}
        <Disclosure look="note" open={!log.event} summary="Topics and data">
          <ol className="flex flex-col py-1">
            {log.topics.map((topic, index) => (
              <li key={`${index}:${topic}`} className="flex gap-2 font-mono text-mono">
                <span className="text-muted">{index}</span>
                <span className="break-all" data-value={topic.toLowerCase()}>
                  {topic}
                </span>
              </li>
            ))}
          </ol>
          <RawBytes value={log.data} name="data" />
        </Disclosure>
      </div>
    </li>
  )
}

/** The logs of a transaction, decoded where the signature is known. */
export function LogsTab({
  details: { logs, logsFrom },
  chain,
}: {
  details: TransactionDetails
  chain: ChainFacts
}) {
  if (logsFrom !== undefined) return <NotKeptState kept={{ logsFrom }} />
  if (logs === undefined)
    return (
      <EmptyState title="Logs not available">
        The service that answered does not list logs with a transaction.
      </EmptyState>
    )
  if (logs.length === 0) return <EmptyState title="No logs">This transaction wrote none.</EmptyState>
  return (
    <ol aria-label="Logs" className="border-t border-line">
      {logs.map((log) => (
        <Log key={log.logIndex} log={log} chain={chain} />
      ))}
    </ol>
  )
}
