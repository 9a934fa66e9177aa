/** `chainId` is the alias of a primary network chain; absent for an EVM chain or none. */
type Guess = {
  kind:
    | 'block'
    | 'transaction'
    | 'address'
    | 'primaryTransaction'
    | 'vertex'
    | 'wallet'
    | 'node'
    | 'subnet'
    | 'blockchain'
  id: string
  title: string
  chainId?: string
}

const base58 = '[1-9A-HJ-NP-Za-km-z]'

/** What text may be by its form alone: for deployments without a search. */
export function guessSearch(text: string): Guess[] {
  const trimmed = text.trim()
  const digits = trimmed.replace(/[,_ ]/g, '')
  if (/^\d{1,16}$/.test(digits)) return [{ kind: 'block', id: digits, title: `Block ${digits}` }]
  if (/^0x[0-9a-fA-F]{40}$/.test(trimmed)) return [{ kind: 'address', id: trimmed, title: 'Address' }]
  if (/^0x[0-9a-fA-F]{64}$/.test(trimmed))
    return [
      { kind: 'transaction', id: trimmed, title: 'Transaction' },
      { kind: 'block', id: trimmed, title: 'Block' },
    ]
  if (new RegExp(`^NodeID-${base58}{24,34}$`).test(trimmed))
    return [{ kind: 'node', id: trimmed, title: 'Node' }]
  if (/^([PXCpxc]-)?([a-z]{1,16}1[02-9ac-hj-np-z]{38}|[A-Z]{1,16}1[02-9AC-HJ-NP-Z]{38})$/.test(trimmed))
    return [{ kind: 'wallet', id: trimmed, title: 'Address of the P- and X-Chain' }]
  // 32 bytes with a checksum: the kind of id is unknown.
  if (new RegExp(`^${base58}{44,52}$`).test(trimmed))
    return [
      { kind: 'primaryTransaction', chainId: 'p-chain', id: trimmed, title: 'Transaction of the P-Chain' },
      { kind: 'primaryTransaction', chainId: 'x-chain', id: trimmed, title: 'Transaction of the X-Chain' },
      {
        kind: 'primaryTransaction',
        chainId: 'c-chain',
        id: trimmed,
        title: 'Import or export of the C-Chain',
      },
      { kind: 'blockchain', id: trimmed, title: 'Blockchain' },
      { kind: 'subnet', id: trimmed, title: 'Subnet' },
      { kind: 'vertex', id: trimmed, title: 'Vertex of the X-Chain' },
    ]
  return []
}
