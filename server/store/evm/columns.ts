import type { Table } from '../columns.ts'

/** For those who write SQL; undefined if SQL and exports do not have the table. */
type EvmTable = Table & { readonly description?: string }

const ts = ['seconds', 'Unix seconds of its block'] as const
const height = ['height', 'height of its block'] as const
const txIndex = ['integer', 'place of its transaction in the block'] as const

/**
 * The one catalogue of the columns of an EVM chain's tables: the lake's files (lake/tables.ts), the copies of its rows
 * into PostgreSQL (lake/bulk) and the views of SQL (sql/tables.ts) follow from it.
 *
 * Receipts are columns of `transactions`: a receipt per transaction under the same key, and a column costs nothing in
 * queries that don't read it, but a second table would cost every query a join. Together the tables hold everything that
 * a block's hash commits to, apart from state: `lake verify` recomputes hashes and roots from them, and `lake load` needs
 * no node.
 */
export const evmTables = {
  blocks: {
    description: 'One row per block.',
    key: ['number'],
    columns: {
      number: ['height', 'height'],
      ts: ['seconds', 'Unix seconds'],
      hash: ['hex', ''],
      parent_hash: ['hex', ''],
      miner: ['hex', 'who received the fees, as the header says'],
      gas_limit: ['word', ''],
      // The sum over the receipts if the block was accepted before it was executed.
      gas_used: ['gas', 'by its transactions'],
      base_fee: ['amount?', 'wei per gas; null before EIP-1559'],
      block_gas_cost: ['amount?', ''],
      difficulty: ['amount?'],
      size: ['integer?', 'bytes'],
      tx_count: ['integer', 'transactions in it'],
      log_count: ['integer', 'logs in it'],
      fees: ['amount', 'wei; gas used times effective gas price, over its transactions'],
      // Whether the inner calls are known; always true for a block that can't contain any.
      traced: ['boolean'],
      state_root: ['hex', ''],
      transactions_root: ['hex', ''],
      receipts_root: ['hex', ''],
      extra_data: ['hex', ''],
      nonce: ['hex?'],
      // The atomic transactions of a C-Chain block.
      ext_data: ['hex?'],
      // The remaining header fields by their JSON-RPC names.
      header: ['json'],
    },
    notStored: ['traced', 'header'],
  },
  transactions: {
    description: 'One row per transaction, with what its receipt says.',
    key: ['number', 'index'],
    columns: {
      number: height,
      index: ['integer', 'place in the block'],
      ts,
      type: ['small', '0 legacy, 1 access list, 2 EIP-1559, 3 blobs, 4 authorisations'],
      status: ['small', '1 succeeded, 0 failed'],
      hash: ['hex', ''],
      sender: ['hex', 'who signed it'],
      recipient: ['hex?', 'null if it creates a contract'],
      created: ['hex?', 'address of the contract that it created, also if it failed'],
      value: ['amount', 'wei'],
      nonce: ['word', ''],
      gas_limit: ['word', ''],
      gas_used: ['gas', ''],
      cumulative_gas_used: ['gas', 'in the block, up to and with it'],
      gas_price: ['amount', 'effective price, wei per gas'],
      max_fee: ['amount?', 'wei per gas'],
      max_priority_fee: ['amount?', 'wei per gas'],
      log_count: ['integer'],
      input: ['hex', 'call data; its first 10 characters are the selector'],
      // The signature; `v` is the y parity of a typed transaction. Null if the node does not list it.
      v: ['amount?'],
      r: ['hex?'],
      s: ['hex?'],
      // Why the hash is only the node's name for it (docs/indexer.md); null if it is that of the fields.
      hash_given_by: ['small?'],
      // Fields that few transactions have, by their JSON-RPC names: access list, authorisations, blobs.
      extra: ['json?'],
      error: ['text?', 'why it failed, in the node’s words; null if it succeeded or was not traced'],
      output: [
        'hex?',
        'what its own call returned, at most 1,024 bytes; null without a trace or for a creation that lasted',
      ],
      failing_call: ['integer?', 'the `ordinal` of the call in which the failure began, -1 for its own'],
      blob_gas_used: ['gas?', 'null without blobs'],
      blob_gas_price: ['amount?', 'wei per blob gas; times `blob_gas_used`, a part of the fee beside gas'],
    },
    notStored: ['ts', 'log_count', 'v', 'r', 's', 'hash_given_by', 'extra'],
  },
  logs: {
    description: 'One row per log, undecoded.',
    key: ['number', 'index'],
    columns: {
      number: height,
      index: ['integer', 'place in the block'],
      ts,
      tx_index: txIndex,
      address: ['hex', 'the contract that emitted it'],
      topic0: ['hex?', 'hash of the event’s signature'],
      topic1: ['hex?', ''],
      topic2: ['hex?', ''],
      topic3: ['hex?', ''],
      data: ['hex', ''],
    },
    notStored: ['ts'],
  },
  /** PostgreSQL has no such table: there, transfers are decoded from the logs when they are read. */
  token_transfers: {
    description:
      'One row per movement of an ERC-20, ERC-721 or ERC-1155 token; a batch has one for each id, a range of ids (ERC-2309) one.',
    key: ['number', 'log_index', 'position'],
    columns: {
      number: height,
      log_index: ['integer', 'place of its log in the block'],
      position: ['integer', 'place within the log'],
      ts,
      tx_index: txIndex,
      token: ['hex', 'the contract'],
      kind: ['small', '20, 721 or 1155'],
      sender: ['hex', 'the zero address when minted'],
      recipient: ['hex', 'the zero address when burned'],
      token_id: ['amount?', 'decimal digits; null for ERC-20, the first of a range'],
      amount: [
        'amount',
        'in the smallest unit, of a range the number of ids; null from 2^127 on, where amount_text has it',
      ],
    },
  },
  /** The transaction's own top call is not repeated. */
  calls: {
    description: 'One row per call inside a transaction; none where the node has no traces.',
    key: ['number', 'tx_index', 'ordinal'],
    columns: {
      number: height,
      tx_index: txIndex,
      ordinal: ['integer', 'in the order of execution, from 0'],
      ts,
      depth: ['small', '1 is a call by the called contract'],
      type: ['text', 'CALL, CALLCODE, DELEGATECALL, STATICCALL, CREATE, CREATE2 or SELFDESTRUCT'],
      reverted: ['boolean', 'whether it or one that it is part of was undone'],
      sender: ['hex', ''],
      recipient: ['hex?', ''],
      value: ['amount', 'wei; what a CALLCODE, DELEGATECALL or STATICCALL reports moves nowhere'],
      gas_limit: ['word', ''],
      gas_used: ['word', ''],
      input: [
        'hex?',
        'call data, at most 1,024 bytes; its first 10 characters are the selector; null if it creates',
      ],
      output: ['hex?', 'what it returned, at most 1,024 bytes; null if it created a contract'],
      error: ['text?', ''],
    },
    notStored: ['ts'],
  },
  contracts: {
    description: 'One row per creation of a contract that lasted.',
    key: ['number', 'tx_index', 'ordinal'],
    columns: {
      number: height,
      tx_index: txIndex,
      ordinal: ['integer', 'of the call that created it; -1 for the transaction itself'],
      ts,
      address: ['hex', ''],
      deployer: ['hex', 'may be a contract'],
      origin: ['hex', 'who signed the transaction'],
    },
    notStored: ['ts'],
  },
  withdrawals: {
    key: ['number', 'index'],
    columns: {
      number: ['height'],
      index: ['word'],
      ts: ['seconds'],
      validator: ['word'],
      address: ['hex'],
      amount: ['amount'],
    },
    notStored: ['ts'],
  },
} as const satisfies Record<string, EvmTable>

export type EvmTableName = keyof typeof evmTables
export const evmTableNames = Object.keys(evmTables) as EvmTableName[]
