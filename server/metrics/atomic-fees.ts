import type { AtomicUnsigned } from '../../protocol/primary/atomic.ts'

/**
 * The nAVAX of an atomic transaction's inputs and outputs; `avax` is the id of AVAX. Its inputs name their amounts, so
 * this does not depend on the chain that they come from.
 */
export function atomicAmounts(
  unsigned: AtomicUnsigned,
  avax: Uint8Array | null,
): { readonly consumed: bigint; readonly produced: bigint } {
  const isAvax = ({ assetId }: { readonly assetId: Uint8Array }): boolean =>
    avax !== null && Buffer.compare(assetId, avax) === 0
  const sum = (parts: readonly { readonly assetId: Uint8Array; readonly amount: bigint }[]): bigint =>
    parts.filter(isAvax).reduce((total, { amount }) => total + amount, 0n)
  if (unsigned.type === 'ImportTx')
    return { consumed: sum(unsigned.importedInputs), produced: sum(unsigned.evmOutputs) }
  const exported = unsigned.exportedOutputs.map(({ assetId, output }) => ({ assetId, amount: output.amount }))
  return { consumed: sum(unsigned.evmInputs), produced: sum(exported) }
}

/** The nAVAX that an atomic transaction of the C-Chain burns. */
export function burnedByAtomic(unsigned: AtomicUnsigned, avax: Uint8Array | null): bigint {
  const { consumed, produced } = atomicAmounts(unsigned, avax)
  return consumed - produced
}
