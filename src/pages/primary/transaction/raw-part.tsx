import type { PrimaryTransactionDetails } from '../../../api/primary/transactions.ts'
import { Section } from '../../../components/section.tsx'
import { UnsupportedState } from '../../../components/states.tsx'
import { RawBytes } from '../../evm/transaction/decoded.tsx'
import { RawTab } from '../../evm/transaction/raw-tab.tsx'

/** The signed bytes of a transaction, and the service's unchanged answer. */
export function RawPart({ tx }: { tx: PrimaryTransactionDetails }) {
  const { txBytes, ...rest } = tx
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <Section title="Bytes">
        {txBytes === undefined ? (
          <UnsupportedState title="Not offered here">
            <p>This deployment does not send the signed bytes. A Ridgeline service of your own does.</p>
          </UnsupportedState>
        ) : (
          <RawBytes value={txBytes} name="bytes" />
        )}
      </Section>
      <Section title="Record">
        <RawTab value={rest} name={tx.txHash} />
      </Section>
    </div>
  )
}
