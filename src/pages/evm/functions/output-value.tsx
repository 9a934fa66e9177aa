import type { ResponseOf } from '../../../../contract/base/operation.ts'
import type { readContract } from '../../../../contract/evm/contract-code.ts'
import { Address } from '../../../components/address.tsx'
import { safeText } from '../../../lib/text.ts'
import { addressIn, valueText } from '../abi-text.ts'

export type Output = ResponseOf<typeof readContract>['outputs'][number]

/** A value in one line of text. */
export const outputText = (output: Output): string => valueText(output, 4_000)

function Value({ output, chainId }: { output: Output; chainId: string }) {
  const address = addressIn(output)
  if (address !== undefined) return <Address address={address} chainId={chainId} full copy />
  return <span className="font-mono text-mono break-all whitespace-pre-wrap">{outputText(output)}</span>
}

/** What a function returned, a value a line. */
export function Outputs({ outputs, chainId }: { outputs: readonly Output[]; chainId: string }) {
  if (outputs.length === 0) return <span className="text-muted">It returns nothing.</span>
  return outputs.map((output, index) => (
    // Results have no other key than their place.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index} className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <span className="text-muted">
        {safeText(output.name, 40)} <span className="font-mono text-xs break-all">{output.type}</span>
      </span>
      <Value output={output} chainId={chainId} />
    </span>
  ))
}
