import type { AtomicUnsigned } from '../../protocol/primary/atomic.ts'

/**
 * The nAVAX that an atomic transaction of the C-chain burns: inputs less outputs in AVAX, whose id is `avax`. Its
 * inputs name their amounts, so this does not depend on the chain that they come from.
 */
export function burnedByAtomic(unsigned: AtomicUnsigned, avax: Uint8Array | null): bigint {
  const isAvax = ({ assetId }: { readonly assetId: Uint8Array }): boolean =>
    avax !== null && Buffer.compare(assetId, avax) === 0
  const sum = (parts: readonly { readonly assetId: Uint8Array; readonly amount: bigint }[]): bigint =>
    parts.filter(isAvax).reduce((total, { amount }) => total + amount, 0n)
  if (unsigned.type === 'ImportTx') return sum(unsigned.importedInputs) - sum(unsigned.evmOutputs)
  return (
    sum(unsigned.evmInputs) -
    sum(unsigned.exportedOutputs.map(({ assetId, output }) => ({ assetId, amount: output.amount })))
  )
}
