import { avaxSerial, utils } from '@avalabs/avalanchejs'
import { expect } from 'vitest'
import { cb58 } from '../../../../protocol/ids/text.ts'
import type { AssetInput } from '../../../../protocol/primary/outputs.ts'
import type { PUnsigned } from '../../../../protocol/primary/p-transactions.ts'
import type { XUnsigned } from '../../../../protocol/primary/x-transactions.ts'
import type { Database } from '../../../store/database.ts'
import { primaryTableNames } from '../../../store/primary/columns.ts'
import type { Batch } from '../batch/batch.ts'
import type { Place } from '../batch/model.ts'
import { utxoRow } from '../batch/utxos.ts'

/** The keys of the chains in these tests. */
export const [p, x, c] = [1, 2, 3]
export const noAddress = new Uint8Array(20)
export const empty = new Uint8Array(32)

/** Where what the tests presuppose was made. */
export const origin: Place = { height: 0, index: 0, ts: 1 }

/** The chain that a transaction imports from or exports to; an empty id for the others. */
export function otherChainOf(tx: PUnsigned | XUnsigned): Uint8Array {
  if ('sourceChain' in tx) return tx.sourceChain
  return 'destinationChain' in tx ? tx.destinationChain : empty
}

/** Stores a batch. */
export const write = (database: Database, batch: Batch): Promise<unknown> =>
  database.begin((sql) => batch.write(sql as unknown as Database))

/** Empties the tables that blocks write to. */
export const emptied = (database: Database): Promise<unknown> =>
  database.unsafe(`truncate ${primaryTableNames.join()}`)

// What avalanchejs reads in published transactions, and the rows that ours make of them.

/** What avalanchejs reads in a transaction, in its own words. */
export type Elsewhere = Readonly<Record<string, unknown>>
export type Output = {
  assetId: string
  output: {
    _type: string
    amt?: string
    lockTime?: string
    outputOwners?: Owners
    transferOut?: { amt: string; outputOwners: Owners }
  }
}
export type Owners = { locktime: string; threshold: number; addrs: string[] }
type Input = { utxoID: { txID: string; outputIdx: number } }

/** A signed transaction with its codec version, as avalanchejs reads it. */
export function readElsewhere(bytes: Uint8Array, vm: 'PVM' | 'AVM' = 'PVM'): Elsewhere {
  const { unsignedTx } = utils.getManagerForVM(vm).unpack(bytes, avaxSerial.SignedTx)
  return JSON.parse(
    JSON.stringify(unsignedTx, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ) as Elsewhere
}

/** Its outputs in their order. */
export const madeElsewhere = (tx: Elsewhere): Output[] => [
  ...((tx['baseTx'] as { outputs?: Output[] } | undefined)?.outputs ?? []),
  ...((tx['outs'] ?? []) as Output[]),
  ...((tx['stake'] ?? []) as Output[]),
]
const spentElsewhere = (tx: Elsewhere): Input[] => [
  ...((tx['baseTx'] as { inputs?: Input[] } | undefined)?.inputs ?? []),
  ...((tx['ins'] ?? []) as Input[]),
]

/** A row of `utxos` as avalanchejs says that an output is. */
export function expectedRow(each: Output, index: number, home: number): object {
  const inner = each.output.transferOut ?? each.output
  return {
    home,
    index,
    asset: each.assetId,
    // An output that only allows minting holds none.
    amount: inner.amt ?? '0',
    stakeable: each.output.transferOut ? each.output.lockTime : '0',
    locktime: inner.outputOwners?.locktime,
    threshold: inner.outputOwners?.threshold,
    owners: inner.outputOwners?.addrs.length,
  }
}

type ToSpend = { readonly each: AssetInput; readonly chain: number }

/** Makes the UTXOs that inputs on `home` spend, each by an earlier transaction of its chain. */
export function makeEach(batch: Batch, home: number, inputs: readonly ToSpend[]): void {
  for (const [index, { each, chain }] of inputs.entries()) {
    const owner = { locktime: 0n, threshold: 1, addresses: [noAddress] }
    const { txId, outputIndex, assetId, amount, stakeableLocktime } = each
    const output = { type: 'TRANSFER' as const, amount, stakeableLocktime, owner }
    batch.create(
      utxoRow({ ...origin, index, chain, home, txId }, outputIndex, { assetId, output }),
      undefined,
    )
  }
}

type UtxoShown = {
  home: number
  index: number
  asset: Buffer
  amount: string
  stakeable: string
  locktime: string
  threshold: number
  owners: number
}
/** The unspent UTXOs of a transaction, in their order. */
export const utxosOf = async (database: Database, txId: Uint8Array): Promise<object[]> => {
  const rows = await database<UtxoShown[]>`
    select home, output_index as index, asset, amount, stakeable_locktime as stakeable, locktime, threshold,
      coalesce(cardinality(owners), (owner is not null)::int) as owners
    from utxos where tx_id = ${Buffer.from(txId)} and spent_tx is null order by output_index`
  return rows.map((row) => ({ ...row, asset: cb58(row.asset) }))
}

/** What a transaction has spent is what avalanchejs reads in it. */
export async function expectSpent(database: Database, txId: Uint8Array, read: Elsewhere): Promise<void> {
  const spent = await database<{ tx_id: Buffer; index: number }[]>`
    select tx_id, output_index as index from utxos where spent_tx = ${Buffer.from(txId)}`
  const place = (id: string, index: number): string => `${id} ${index}`
  expect(spent.map(({ tx_id: id, index }) => place(cb58(id), index)).toSorted()).toEqual(
    spentElsewhere(read)
      .map(({ utxoID }) => place(utxoID.txID, utxoID.outputIdx))
      .toSorted(),
  )
}
