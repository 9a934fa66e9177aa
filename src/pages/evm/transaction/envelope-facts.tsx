import { useQuery } from '@tanstack/react-query'
import type { ChainFacts } from '../../../api/current.ts'
import { isUnsupported } from '../../../api/errors.ts'
import { transactionEnvelopeQuery } from '../../../api/evm/transactions.ts'
import { Address } from '../../../components/address.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { exactAmount, formatInteger } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { Facts } from '../../shared/facts.tsx'
import { Failed } from '../../shared/failed.tsx'

const hashes = (values: readonly string[]) =>
  values.map((value, index) => (
    <span key={index} className="font-mono text-mono break-all" data-value={value}>
      {value}
    </span>
  ))

/** The access list, blobs and authorizations of a transaction, each where it has some. */
export function EnvelopeFacts({ txHash, chain }: { txHash: string; chain: ChainFacts }) {
  const { chainId } = chain
  const query = useQuery(transactionEnvelopeQuery(chainId, txHash))
  if (query.error)
    return isUnsupported(query.error) ? null : (
      <Failed title="The access list, blobs and authorizations could not be loaded." query={query} />
    )
  if (query.isPending) return <SkeletonRows count={1} />
  const { accessList = [], blobVersionedHashes = [], authorizationList = [], maxFeePerBlobGas } = query.data
  if (accessList.length + blobVersionedHashes.length + authorizationList.length === 0)
    return <p className="py-2 text-muted">The access list of this transaction is empty.</p>
  return (
    <div className="border-t border-line">
      <Facts
        label="Envelope"
        facts={[
          accessList.length > 0 && {
            label: 'Access list',
            help: 'What the transaction declared that it reads (EIP-2930)',
            value: (
              <ul className="flex min-w-0 flex-col gap-2">
                {accessList.map(({ address, storageKeys }, index) => (
                  <li key={index} className="flex min-w-0 flex-col">
                    <Address {...address} chainId={chainId} full copy />
                    {storageKeys.length > 0 && (
                      <Disclosure
                        look="note"
                        summary={`${formatInteger(storageKeys.length)} storage ${plural(storageKeys.length, 'key')}`}
                      >
                        <span className="flex flex-col">{hashes(storageKeys)}</span>
                      </Disclosure>
                    )}
                  </li>
                ))}
              </ul>
            ),
          },
          blobVersionedHashes.length > 0 && {
            label: 'Blobs',
            help: 'Their versioned hashes (EIP-4844)',
            value: <span className="flex min-w-0 flex-col">{hashes(blobVersionedHashes)}</span>,
          },
          maxFeePerBlobGas !== undefined && {
            label: 'Blob gas price',
            value: `at most ${exactAmount(maxFeePerBlobGas, 9)} gwei`,
          },
          authorizationList.length > 0 && {
            label: 'Sets code',
            help: 'Accounts that take the code of a contract (EIP-7702)',
            value: (
              <ul className="flex min-w-0 flex-col gap-2">
                {authorizationList.map((one, index) => (
                  <li key={index} className="flex min-w-0 flex-wrap items-center gap-x-2">
                    {one.authority ? (
                      <Address {...one.authority} chainId={chainId} />
                    ) : (
                      <span className="text-muted">no valid signature</span>
                    )}
                    <span className="text-muted">takes the code of</span>
                    <Address {...one.address} chainId={chainId} />
                    <span className="text-muted">
                      nonce {formatInteger(one.nonce)},{' '}
                      {one.chainId === '0' ? 'any chain' : `chain ${one.chainId}`}
                    </span>
                    {one.outcome !== undefined && (
                      <Pill state={one.outcome === 'APPLIED' ? 'ok' : 'failed'}>
                        {outcomeWords[one.outcome] ?? one.outcome}
                      </Pill>
                    )}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </div>
  )
}

/** What became of an authorization. */
const outcomeWords: Readonly<Record<string, string>> = {
  APPLIED: 'applied',
  OTHER_CHAIN: 'not applied: for another chain',
  INVALID_SIGNATURE: 'not applied: no valid signature',
  WRONG_NONCE: 'not applied: not the nonce of the account',
}
