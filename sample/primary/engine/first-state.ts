import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { encodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { type PTx } from '../transactions.ts'
import { avaxId, genesisAsset, genesisOf } from '../founding.ts'
import type { LedgerBlock } from '../ledger.ts'
import { activate } from '../stakers.ts'
import { create, emptyState, type State, zeroId } from '../state.ts'
import { sha256Hex } from '../../../protocol/native/hashes.ts'
import type { Made } from '../wallet.ts'
import type { World } from '../world.ts'

/** Creates the network's initial state. */
export function foundNetwork(world: World): State {
  const { ages } = world
  const state = emptyState(ages.start)
  const genesis = genesisOf(world)
  genesis.utxos.forEach(({ assetId, output }, index) => create(state, 'P', zeroId, index, assetId, output))
  state.supply.set(zeroId, genesis.supply)
  const first = (tx: Made<PTx>): void => {
    state.txs.set(tx.id, {
      chain: 'P',
      id: tx.id,
      bytes: tx.bytes,
      status: 'Committed',
      height: 0,
      time: ages.start,
    })
  }
  for (const made of genesis.validators) {
    const { unsigned } = made.tx
    if (unsigned.type !== 'AddValidatorTx') continue
    const { terms, rewardsOwner } = unsigned
    first(made)
    activate(
      state,
      {
        txId: made.id,
        kind: 'validator',
        isPermissioned: false,
        subnetId: zeroId,
        nodeId: terms.nodeId,
        start: Number(terms.start),
        end: Number(terms.end),
        weight: terms.weight,
        shares: unsigned.shares,
        signer: undefined,
        validationOwner: rewardsOwner,
        delegationOwner: rewardsOwner,
        potentialReward: 0n,
        accruedDelegateeReward: 0n,
      },
      ages.helicon,
    )
  }
  for (const made of genesis.chains) {
    const { unsigned } = made.tx
    first(made)
    if (unsigned.type !== 'CreateChainTx') continue
    state.chains.push({ id: made.id, name: unsigned.chainName, subnetId: zeroId, vmId: unsigned.vmId })
  }
  const { name, symbol, denomination, states } = genesisAsset.tx.unsigned
  state.assets.set(avaxId, { id: avaxId, name, symbol, denomination })
  states.forEach(({ outputs }) =>
    outputs.forEach((output, index) => create(state, 'X', avaxId, index, avaxId, output)),
  )
  state.txs.set(avaxId, {
    chain: 'X',
    id: avaxId,
    bytes: genesisAsset.bytes,
    status: 'Committed',
    height: undefined,
    time: ages.start,
  })
  pushBlock(
    state,
    'P',
    encodePBlock({
      type: 'ApricotCommitBlock',
      parentId: sha256Hex(genesis.bytes),
      height: 0,
      time: ages.start,
      transactions: [],
    }),
    {
      parent: sha256Hex(genesis.bytes),
      time: ages.start,
      txIds: [],
    },
  )
  return state
}

/** Appends a block to its chain. */
export function pushBlock(
  state: State,
  chain: 'P' | 'X',
  bytes: Uint8Array,
  rest: { readonly parent: BareHex; readonly time: number; readonly txIds: readonly BareHex[] },
): LedgerBlock {
  const blocks = state.blocks[chain]
  const block: LedgerBlock = {
    chain,
    height: blocks.length,
    id: sha256Hex(bytes),
    parentId: rest.parent,
    time: rest.time,
    bytes,
    txIds: rest.txIds,
  }
  blocks.push(block)
  state.heights[chain].set(block.id, block.height)
  return block
}
