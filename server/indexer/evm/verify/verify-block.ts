import type { IndexerStats } from '../../../kernel/indexer-stats.ts'
import { bloomOfReceipts, sameBloom } from './bloom.ts'
import { headerHash } from './header.ts'
import { hex, integer, list, object, optionalHex, refuse, type JsonObject } from '../../../kernel/json.ts'
import { encodeReceipts, encodeWithdrawals } from './roots.ts'
import { RlpWriter } from './rlp.ts'
import { readSettlement, type Settlement } from './settlement.ts'
import { checkTransactions, type ProvenTransactions } from './transactions.ts'
import { indexedTrieRoot } from './trie.ts'

/** A block and its receipts as a node sent them, checked against each other. */
export type CheckedBlock = {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly header: JsonObject
  readonly transactions: readonly JsonObject[]
  readonly receipts: readonly JsonObject[]
  /** The hash of each transaction, in order. */
  readonly hashes: readonly string[]
  readonly proven: ProvenTransactions
  /**
   * The settlement of earlier blocks, if the block was accepted before it was executed; otherwise undefined.
   */
  readonly settlement: Settlement | undefined
}

/**
 * Checks an answer before it is used. The header's hash, every transaction's hash and both roots are
 * recomputed, so the block's hash proves everything except the senders, and names that are not hashes. If a field or a type is unknown, the
 * remaining checks are: the receipts are complete and belong to the block's transactions, and the logs match
 * the header's bloom. The receipts of a block with asynchronous execution are proven later, by the header
 * that settles it (settled-receipts.ts). Throws a refusal, after which the caller should ask again.
 */
export function verifyBlock(
  block: unknown,
  receipts: unknown,
  {
    number,
    stats,
    clientVersion,
  }: { number: number; stats: IndexerStats; clientVersion?: string | undefined },
): CheckedBlock {
  const header = object(block, `block ${number}`)
  if (integer(header['number'], 'the number') !== number)
    throw refuse(`block ${number}: another block was sent`)
  const hash = hex(header['hash'], 'the hash', 32)
  checkHash(header, hash, number, stats)
  const transactions = list(header['transactions'], 'the transactions').map((value) =>
    object(value, 'a transaction'),
  )
  const given = list(receipts, `the receipts of block ${number}`).map((value) => object(value, 'a receipt'))
  if (given.length !== transactions.length) {
    throw refuse(`block ${number}: ${given.length} receipts for ${transactions.length} transactions`)
  }
  const hashes = transactions.map((transaction, index) => {
    const own = hex(transaction['hash'], 'a transaction hash', 32)
    const receipt = given[index]
    if (
      receipt?.['transactionHash'] !== own ||
      receipt['blockHash'] !== hash ||
      transaction['blockHash'] !== hash
    ) {
      throw refuse(`block ${number}: receipt ${index} belongs to another transaction or block`)
    }
    if (integer(receipt['transactionIndex'], 'an index') !== index) {
      throw refuse(`block ${number}: receipt ${index} has another index`)
    }
    return own
  })
  const proven = checkTransactions(header, { transactions, hashes, number, stats, clientVersion })
  checkWithdrawalsRoot(header, number)
  const settlement = readSettlement(number, { header, transactions, receipts: given })
  const covered = given.slice(0, proven.count)
  if (!settlement && !checkReceiptsRoot(header, covered, number)) checkBloom(header, covered, number)
  return {
    number,
    hash,
    parentHash: hex(header['parentHash'], 'the parent hash', 32),
    header,
    transactions,
    receipts: given,
    hashes,
    proven,
    settlement,
  }
}

function checkHash(header: JsonObject, hash: string, number: number, stats: IndexerStats): void {
  const computed = headerHash(header)
  if (computed === undefined) stats.unknownHeaders += 1
  else if (computed !== hash) throw refuse(`block ${number}: its header does not hash to ${hash}`)
}

/** Scratch buffers for hashing, reused for every block. */
const items = new RlpWriter()
const nodes = new RlpWriter()

/** Checks the withdrawals if the header has a root for them (EIP-4895). */
function checkWithdrawalsRoot(header: JsonObject, number: number): void {
  const root = optionalHex(header['withdrawalsRoot'], 'the withdrawals root', 32)
  const withdrawals = withdrawalsOf(header)
  if (root === undefined) {
    if (withdrawals.length > 0) throw refuse(`block ${number}: its header has no root for its withdrawals`)
    return
  }
  // Some nodes do not list withdrawals.
  if ((header['withdrawals'] ?? undefined) === undefined) return
  if (indexedTrieRoot(encodeWithdrawals(withdrawals), nodes) !== root)
    throw refuse(`block ${number}: the withdrawals root differs`)
}

/** The withdrawals of a block as its node lists them; empty if there is no such field. */
export function withdrawalsOf(header: JsonObject): JsonObject[] {
  const given = header['withdrawals'] ?? []
  return list(given, 'the withdrawals').map((value) => object(value, 'a withdrawal'))
}

/** Whether the receipts root could be recomputed. Throws a refusal if it differs. */
function checkReceiptsRoot(header: JsonObject, receipts: readonly JsonObject[], number: number): boolean {
  const encoded = encodeReceipts(receipts, items.clear())
  if (!encoded) return false
  if (indexedTrieRoot(encoded, nodes) !== header['receiptsRoot'])
    throw refuse(`block ${number}: the receipts root differs`)
  return true
}

function checkBloom(header: JsonObject, receipts: readonly JsonObject[], number: number): void {
  if (!sameBloom(bloomOfReceipts(receipts), hex(header['logsBloom'], 'the bloom', 256))) {
    throw refuse(`block ${number}: the logs do not give the header's bloom`)
  }
}
