/** A search text, and what its form says: the kinds that are meant, and the chain of the primary network. */
export type SearchForm = {
  readonly text: string
  readonly kinds?: readonly string[]
  readonly alias?: 'p-chain' | 'x-chain' | 'c-chain'
}

const block = ['block', 'primaryBlock']
const transaction = ['transaction', 'primaryTransaction']
const address = ['address', 'wallet', 'contract', 'token']
const node = ['node', 'l1Validation']

const words: Readonly<Record<string, readonly string[]>> = {
  block,
  blk: block,
  height: block,
  '#': block,
  tx: transaction,
  txid: transaction,
  txn: transaction,
  transaction,
  address,
  account: address,
  wallet: address,
  token: ['token'],
  nft: ['token'],
  contract: ['contract', 'token'],
  chain: ['chain', 'blockchain'],
  blockchain: ['chain', 'blockchain'],
  subnet: ['subnet', 'chain'],
  l1: ['subnet', 'chain'],
  node,
  validator: node,
  vertex: ['vertex'],
}

const aliases = { p: 'p-chain', x: 'x-chain', c: 'c-chain' } as const

/**
 * Reads forms such as "block 2143", "#2143", "tx 0x…", "token SUSD" and "P-fuji1…", "P-block 12", "X 12".
 * Undefined for a text without such a form: its meaning is any.
 */
export function readForm(text: string): SearchForm | undefined {
  const chain = /^([pxc])(?:-chain)?[-:\s]\s*(\S.*)$/i.exec(text)
  if (chain) {
    const rest = chain[2] ?? ''
    const alias = aliases[(chain[1] ?? '').toLowerCase() as keyof typeof aliases]
    return { ...(readWord(rest) ?? { text: rest }), alias }
  }
  return readWord(text)
}

function readWord(text: string): SearchForm | undefined {
  const found = /^(#|[a-z0-9]+(?=[\s:#]))\s*[:#]?\s*(\S.*)$/i.exec(text)
  const kinds = words[(found?.[1] ?? '').toLowerCase()]
  return found && kinds ? { text: found[2] ?? '', kinds } : undefined
}
