import { FatalError } from '../../kernel/errors.ts'
import type { Utxo } from '../../../protocol/primary/outputs.ts'
import { decodePGenesis } from '../../../protocol/primary/genesis.ts'
import { CodecError } from '../../../protocol/codec/reader.ts'
import type { PBlock } from '../../../protocol/primary/p-blocks.ts'
import type { PTx } from '../../../protocol/primary/p-transactions.ts'
import { addBlockRow } from './p-apply.ts'
import { addBlockchain, type Effects, stakingFields, utxoCountOf } from './p-effects.ts'
import { addStaker } from './p-stakers.ts'
import { keyOf } from './batch/rows.ts'
import { genesisUtxoIndex, utxoRow } from './batch/utxos.ts'

/** The state before the first block, from a file or reconstructed from a node. */
export type Genesis = {
  /** Unix seconds. */
  readonly time: number
  /** Supply in nAVAX, without the validators' potential rewards. */
  readonly supply: bigint
  readonly utxos: readonly Utxo[]
  readonly validators: readonly PTx[]
  readonly chains: readonly PTx[]
  /** The validators' potential rewards reported by the node, by transaction; computed if absent. */
  readonly potentialRewards?: ReadonlyMap<string, bigint>
}

/**
 * Decodes genesis bytes that belong to a chain's block 0. Throws FatalError if they belong to another
 * network.
 */
export function genesisOfBytes(bytes: Uint8Array, block: PBlock): Genesis {
  try {
    const genesis = decodePGenesis(bytes)
    if (keyOf(genesis.id) !== keyOf(block.parentId)) {
      throw new FatalError(
        'the genesis file belongs to another network: its hash is not the parent of block 0',
      )
    }
    return { ...genesis, utxos: genesis.utxos.map(({ utxo }) => utxo) }
  } catch (error) {
    if (error instanceof CodecError) throw new FatalError(`the genesis file cannot be read: ${error.message}`)
    throw error
  }
}

/** Fills an empty state with the genesis and adds the rows of the genesis and of block 0. */
export function applyPGenesis(effects: Effects, genesis: Genesis, block: PBlock): void {
  const { state, batch } = effects
  const { chain } = state.rules
  const { time: ts } = genesis
  state.time = ts
  state.supply = genesis.supply
  for (const utxo of genesis.utxos) {
    const origin = { height: 0, index: genesisUtxoIndex, ts, chain, home: chain, txId: utxo.txId }
    batch.create(utxoRow(origin, utxo.outputIndex, utxo), undefined)
  }
  for (const [index, tx] of genesis.validators.entries()) addValidator(effects, genesis, tx, index)
  for (const [offset, tx] of genesis.chains.entries()) {
    if (tx.unsigned.type !== 'CreateChainTx')
      throw new FatalError('the genesis has chains of an unknown kind')
    const place = { height: 0, index: genesis.validators.length + offset, ts }
    batch.transaction(place, tx, 0)
    addBlockchain(batch, chain, tx, tx.unsigned, place)
  }
  state.height = 0
  state.id = keyOf(block.id)
  addBlockRow(state, batch, block, undefined)
}

function addValidator(effects: Effects, genesis: Genesis, tx: PTx, index: number): void {
  const { state, batch } = effects
  const { unsigned } = tx
  if (unsigned.type !== 'AddValidatorTx' && unsigned.type !== 'AddPermissionlessValidatorTx') {
    throw new FatalError('the genesis has validators of an unknown kind')
  }
  const place = { height: 0, index, ts: genesis.time }
  const record = batch.record(place, tx.typeId)
  batch.transaction(place, tx, utxoCountOf(unsigned))
  const fields = stakingFields(unsigned, Number(unsigned.terms.start))
  const { chain } = state.rules
  const origin = { ...place, chain, home: chain, txId: tx.id }
  for (const [output, stake] of unsigned.stake.entries()) {
    const period = { stakedFrom: fields.start, stakedUntil: fields.end }
    batch.create(utxoRow(origin, output, stake, period), record)
  }
  for (const owner of [fields.rewardsOwner, fields.delegationRewardsOwner]) {
    for (const address of owner?.addresses ?? []) record.addresses.add(keyOf(address))
  }
  const told = genesis.potentialRewards?.get(keyOf(tx.id))
  const staker = addStaker(state, batch, tx, place, fields, told === undefined)
  if (told === undefined) return
  staker.isCurrent = true
  staker.potentialReward = told
  state.watch(staker)
  state.supply += told
}
