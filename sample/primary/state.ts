import { type Owner, type Output, type Proof } from './transactions.ts'
import { utxoIdOf } from '../../protocol/native/hashes.ts'
import {
  type Blockchain,
  type LedgerBlock,
  LedgerError,
  type LedgerTx,
  type Renewal,
  type Subnet,
  type Vertex,
  type XAsset,
} from './ledger.ts'
import type { ChainAlias } from '../../protocol/primary/chains.ts'
import type { RewardRules } from '../../protocol/primary/rewards.ts'
import { type BareHex, bytesOf, hexOf } from '../../protocol/ids/bare-hex.ts'

export const zeroId: BareHex = '0'.repeat(64)

/** A set of UTXOs: a chain's own, or those exported to the first chain by the second and not yet imported. */
export type Space = ChainAlias | `${ChainAlias}<${ChainAlias}`

/** An unspent output. `id` is sha256(u64 index || txId). */
export type Utxo = {
  readonly id: BareHex
  readonly txId: BareHex
  readonly outputIndex: number
  readonly assetId: BareHex
  readonly output: Output
}

/** A validation or delegation, pending or current. */
export type StakerState = {
  readonly txId: BareHex
  readonly kind: 'validator' | 'delegator'
  readonly isPermissioned: boolean
  readonly subnetId: BareHex
  readonly nodeId: BareHex
  readonly start: number
  readonly end: number
  readonly weight: bigint
  readonly shares: number | undefined
  readonly signer: Proof | undefined
  readonly validationOwner: Owner | undefined
  readonly delegationOwner: Owner | undefined
  potentialReward: bigint
  accruedDelegateeReward: bigint
  /** Only for auto-renewed validators. */
  renewal?: Renewal
}

export type L1State = {
  readonly validationId: BareHex
  readonly subnetId: BareHex
  readonly nodeId: BareHex
  readonly publicKey: BareHex
  readonly start: number
  readonly remainingBalanceOwner: Owner
  readonly deactivationOwner: Owner
  weight: bigint
  minNonce: bigint
  /** Accrued fees at which the balance is exhausted; 0 if inactive. */
  endFee: bigint
}

/** An entry of a subnet's log of weights: `key` has this weight from `height` on. */
export type SetChange = {
  readonly height: number
  /** Node id; for an L1's validators, the validation id. */
  readonly key: BareHex
  /** Undefined for inactive L1 validators. */
  readonly nodeId: BareHex | undefined
  readonly weight: bigint
  readonly publicKey: BareHex | undefined
}

export type SubnetState = {
  readonly owner: Owner
  readonly rewards: RewardRules | undefined
  readonly asset: BareHex | undefined
} & Subnet

/** A container of the index. */
export type StoredContainer = {
  readonly id: BareHex
  readonly time: number
  readonly parent: BareHex
  /** The proposer's position in the list of nodes; -1 for an unsigned wrapper. */
  readonly node: number
  readonly pHeight: number
}

/** The state of the ledger: plain data that can be serialized. */
export type State = {
  /** Chain time of P, Unix seconds. */
  time: number
  readonly blocks: { readonly P: LedgerBlock[]; readonly X: LedgerBlock[] }
  readonly wrappers: { readonly P: StoredContainer[]; readonly X: StoredContainer[] }
  readonly heights: { readonly P: Map<BareHex, number>; readonly X: Map<BareHex, number> }
  readonly txs: Map<BareHex, LedgerTx>
  readonly spaces: Map<Space, Map<BareHex, Utxo>>
  /** UTXO ids by `space/address`. */
  readonly owned: Map<string, Set<BareHex>>
  readonly rewards: Map<BareHex, readonly Utxo[]>
  readonly current: Map<BareHex, StakerState>
  readonly pending: Map<BareHex, StakerState>
  readonly subnets: Map<BareHex, SubnetState>
  readonly chains: Blockchain[]
  readonly supply: Map<BareHex, bigint>
  readonly l1: Map<BareHex, L1State>
  accruedFees: bigint
  l1Excess: bigint
  gas: { readonly capacity: bigint; readonly excess: bigint }
  readonly sets: Map<BareHex, SetChange[]>
  readonly assets: Map<BareHex, XAsset>
  readonly vertices: Vertex[]
  readonly xTxs: { readonly id: BareHex; readonly time: number }[]
  readonly extra: Map<number, Uint8Array>
  cHeight: number
  /** The number of journal entries that were applied. */
  entries: number
  /** The effects of atomic transactions on C-Chain accounts: nAVAX, and the number of exports. */
  readonly accounts: Map<BareHex, { readonly balance: bigint; readonly nonce: bigint }>
  /** AVAX burned by fees and L1 balances, by chain; used by the checker. */
  readonly burned: { P: bigint; X: bigint; C: bigint }
}

export function emptyState(time: number): State {
  return {
    time,
    blocks: { P: [], X: [] },
    wrappers: { P: [], X: [] },
    heights: { P: new Map(), X: new Map() },
    txs: new Map(),
    spaces: new Map(),
    owned: new Map(),
    rewards: new Map(),
    current: new Map(),
    pending: new Map(),
    subnets: new Map(),
    chains: [],
    supply: new Map(),
    l1: new Map(),
    accruedFees: 0n,
    l1Excess: 0n,
    gas: { capacity: 0n, excess: 0n },
    sets: new Map(),
    assets: new Map(),
    vertices: [],
    xTxs: [],
    extra: new Map(),
    cHeight: 0,
    entries: 0,
    accounts: new Map(),
    burned: { P: 0n, X: 0n, C: 0n },
  }
}

/** The id of a UTXO: its key in the ledger, and the order of a node's pages of UTXOs. */
export function utxoId(txId: BareHex, index: number): BareHex {
  return hexOf(utxoIdOf(bytesOf(txId), index))
}

/** The amount of an output; 0 for mint rights, NFTs and properties. */
export function amountOf(output: Output): bigint {
  return output.type === 'TRANSFER' ? output.amount : 0n
}

export function space(state: State, name: Space): Map<BareHex, Utxo> {
  const found = state.spaces.get(name)
  if (found !== undefined) return found
  const made = new Map<BareHex, Utxo>()
  state.spaces.set(name, made)
  return made
}

/** Adds an output to a set of UTXOs and returns the UTXO. */
export function create(
  state: State,
  name: Space,
  txId: BareHex,
  outputIndex: number,
  assetId: BareHex,
  output: Output,
): Utxo {
  const utxo: Utxo = { id: utxoId(txId, outputIndex), txId, outputIndex, assetId, output }
  space(state, name).set(utxo.id, utxo)
  for (const address of output.owner.addresses) {
    const key = `${name}/${address}`
    const ids = state.owned.get(key)
    if (ids === undefined) state.owned.set(key, new Set([utxo.id]))
    else ids.add(utxo.id)
  }
  return utxo
}

/** Removes a UTXO from a set. Throws `LedgerError` if it does not exist. */
export function consume(state: State, name: Space, txId: BareHex, index: number): Utxo {
  const id = utxoId(txId, index)
  const utxos = space(state, name)
  const utxo = utxos.get(id)
  if (utxo === undefined) throw new LedgerError('failed to get UTXO: not found')
  utxos.delete(id)
  for (const address of utxo.output.owner.addresses) {
    const key = `${name}/${address}`
    const ids = state.owned.get(key)
    ids?.delete(id)
    if (ids?.size === 0) state.owned.delete(key)
  }
  return utxo
}

/** Records a new weight of a member of a subnet's set, from the current block on. */
export function noteWeight(state: State, subnetId: BareHex, change: Omit<SetChange, 'height'>): void {
  const log = state.sets.get(subnetId) ?? []
  const height = Math.max(0, state.blocks.P.length)
  log.push({ height, ...change })
  state.sets.set(subnetId, log)
}
