import { useFollowed, type ChainFacts } from '../../api/current.ts'
import { formatInteger } from '../../lib/amounts.ts'

/** Says of a block or transaction that it is the node's answer, because the index does not have its block. */
export function UnindexedNote({ chain, isIndexed }: { chain: ChainFacts; isIndexed: boolean | undefined }) {
  const head = useFollowed(chain.chainId)?.indexedBlock
  if (isIndexed !== false) return null
  return (
    <p className="-mt-2 pb-3 text-muted">
      Not indexed: this is what the node of {chain.name} says now, without internal calls.
      {head !== undefined && ` The index reaches to block ${formatInteger(head)}.`}
    </p>
  )
}
