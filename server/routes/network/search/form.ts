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

const words: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
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
  }),
)

const aliases = { p: 'p-chain', x: 'x-chain', c: 'c-chain' } as const

/** An id as it stands in the path of an explorer's page: hex, a height, a node id, a bech32 address, a CB58 id. */
const idInPath =
  /^(?:0x[0-9a-f]{40}|0x[0-9a-f]{64}|\d{1,16}|NodeID-[1-9A-HJ-NP-Za-km-z]{20,}|(?:[pxc]-)?[a-z]+1[02-9ac-hj-np-z]{38}|[1-9A-HJ-NP-Za-km-z]{40,52})$/i

/** The last id in the path of a link to another explorer; the words before it say what it is. */
function readLink(text: string): SearchForm | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const parts = new URL(text).pathname.split('/').flatMap((part) => {
    try {
      return part === '' ? [] : [decodeURIComponent(part)]
    } catch {
      return []
    }
  })
  const at = parts.findLastIndex((part) => idInPath.test(part))
  const id = parts[at]
  if (id === undefined) return undefined
  const before = (parts[at - 1] ?? '').toLowerCase()
  const kinds = words.get(before) ?? words.get(before.replace(/e?s$/, ''))
  // Others call the EVM chain C-Chain, too; here that name would mean its atomic transactions alone.
  const alias = parts.map((part) => /^([px])(?:-chain)?$/i.exec(part)?.[1]?.toLowerCase()).find(Boolean)
  return {
    text: id,
    ...(kinds && { kinds }),
    ...(alias !== undefined && { alias: aliases[alias as keyof typeof aliases] }),
  }
}

/** The address of a payment request, "ethereum:0x…@43114?value=1" (EIP-681). */
function readPayment(text: string): SearchForm | undefined {
  const found = /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:[@/?]|$)/i.exec(text)
  return found ? { text: found[1] ?? '', kinds: address } : undefined
}

/** A height as JSON-RPC has it, "0x870"; the beginning of a hash may look the same. */
function readHexHeight(text: string): SearchForm | undefined {
  return /^0x[0-9a-f]{1,13}$/i.test(text) ? { text: BigInt(text).toString(), kinds: block } : undefined
}

/**
 * Reads forms such as "block 2143", "#2143", "tx 0x…", "token SUSD" and "P-fuji1…", "P-block 12", "X 12".
 * pasted links of other explorers, payment requests (EIP-681), and heights in hex. Undefined for a text without such a
 * form: its meaning is any.
 */
export function readForm(given: string): SearchForm | undefined {
  const text = given.trim()
  const pasted = readLink(text) ?? readPayment(text) ?? readHexHeight(text)
  if (pasted) return pasted
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
  const kinds = words.get((found?.[1] ?? '').toLowerCase())
  return found && kinds ? { text: found[2] ?? '', kinds } : undefined
}
