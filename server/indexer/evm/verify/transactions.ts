import { keccak256 as hashOf, parseTransaction, serializeTransaction, type Hex } from 'viem'
import { keccak256 } from '../../../kernel/keccak.ts'
import type { IndexerStats } from '../../../kernel/indexer-stats.ts'
import { refuse, type JsonObject } from '../../../kernel/json.ts'
import { recoverSigner } from '../../../kernel/recover-signer.ts'
import { RlpWriter } from './rlp.ts'
import { encodeTransactions } from './roots.ts'
import { indexedTrieRoot, toHex } from './trie.ts'

/**
 * Why the hash of a transaction is only the node's name for it, and not the hash of its fields: the node was told to act
 * for a sender whose key it lacks (`anvil_impersonateAccount`), or it lists something that its chain did by itself after
 * the transactions of the block (state-sync transactions of Polygon).
 */
export type NodeName = 'impersonated' | 'system'

/** What the header's root proves of a block's transactions. */
export type ProvenTransactions = {
  /** The root covers so many of them; those behind are the chain's own. */
  readonly count: number
  readonly names: ReadonlyMap<number, NodeName>
}

type Contents = {
  readonly transactions: readonly JsonObject[]
  readonly hashes: readonly string[]
  readonly number: number
  readonly stats: IndexerStats
  readonly clientVersion: string | undefined
}

/** Scratch buffers for hashing, reused for every block. */
const items = new RlpWriter()
const nodes = new RlpWriter()

/**
 * Checks the transactions of a block against their hashes and the header's root. The root proves the fields; a hash that
 * differs from theirs is refused only if the transaction is signed by its sender, who can't have signed another one.
 * Throws a refusal.
 */
export function checkTransactions(header: JsonObject, contents: Contents): ProvenTransactions {
  const { transactions, hashes, number, stats, clientVersion } = contents
  const all = { count: transactions.length, names: new Map<number, NodeName>() }
  const encoded = encodeTransactions(transactions, items.clear())
  if (!encoded) {
    stats.unknownTransactionTypes += 1
    return all
  }
  const root = header['transactionsRoot']
  if (encoded.length === 0 && root === hashOfNothing) return all
  const others = encoded.flatMap((bytes, index) => (toHex(keccak256(bytes)) === hashes[index] ? [] : [index]))
  for (const index of others) {
    if (isSignedBy(encoded[index] ?? new Uint8Array(), transactions[index]?.['from']))
      throw refuse(`block ${number}: transaction ${index} does not hash to ${hashes[index]}`)
  }
  const names = new Map<number, NodeName>(others.map((index) => [index, 'impersonated']))
  if (clientVersion?.startsWith('anvil/') && transactions.some(({ type }) => type === blobType)) {
    stats.unknownTransactionTypes += 1
    return { count: encoded.length, names }
  }
  if (indexedTrieRoot(encoded, nodes) === root) return { count: encoded.length, names }
  // The chain's own transactions come last and are in no root.
  let count = encoded.length
  while (count > 0 && names.has(count - 1) && isSystem(transactions[count - 1])) {
    count -= 1
    names.set(count, 'system')
  }
  if (count < encoded.length && indexedTrieRoot(encoded.slice(0, count), nodes) === root)
    return { count, names }
  const [other] = others
  throw refuse(
    other === undefined
      ? `block ${number}: the transactions root differs`
      : `block ${number}: transaction ${other} does not hash to ${hashes[other]}`,
  )
}

/** Transactions with blobs (EIP-4844). anvil's root also covers their blobs, which a block does not list. */
const blobType = '0x3'

/**
 * The hash of no bytes. Hardhat uses it, instead of the root of the empty trie, as the transactions root of
 * its genesis block and of blocks made by `hardhat_mine`. No trie with a transaction has this root.
 */
const hashOfNothing = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

const nobody = `0x${'0'.repeat(40)}`

/** Whether nobody sent a transaction: from the zero address, for no gas, without a signature. */
function isSystem(transaction: JsonObject | undefined): boolean {
  const isZero = (value: unknown): boolean =>
    value === undefined || value === null || /^0x0*$/.test(String(value))
  return (
    transaction?.['from'] === nobody &&
    ['gas', 'gasPrice', 'r', 's'].every((name) => isZero(transaction[name]))
  )
}

/** Whether the signature of an encoded transaction is that of an address. */
function isSignedBy(encoded: Uint8Array, address: unknown): boolean {
  try {
    const { r, s, v, yParity, ...unsigned } = parseTransaction(toHex(encoded) as Hex)
    if (r === undefined || s === undefined) return false
    const parity = yParity ?? (Number(v ?? 0n) === 0 ? undefined : (Number(v) + 1) % 2)
    if (parity === undefined) return false
    const hash = Buffer.from(hashOf(serializeTransaction(unsigned)).slice(2), 'hex')
    return recoverSigner(hash, { r: BigInt(r), s: BigInt(s), parity }) === String(address).toLowerCase()
  } catch {
    // What nobody signed may have no valid form.
    return false
  }
}
