/** Says of what is shown that it is the node's answer, because the index is behind the chain. */
export function NodeNote({ isIndexed }: { isIndexed: boolean | undefined }) {
  if (isIndexed !== false) return null
  return (
    <p className="pb-3 text-muted">Not indexed yet: this is what the node says now, without its history.</p>
  )
}
