import type { ChainAlias } from '../../protocol/primary/chains.ts'
import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { type Owner, type Output, type Proof } from './transactions.ts'

/**
 * An accepted P or X block. `time` is the chain's time in Unix seconds (the bytes of Apricot blocks contain
 * none).
 */
export type LedgerBlock = {
  readonly chain: 'P' | 'X'
  readonly height: number
  readonly id: BareHex
  readonly parentId: BareHex
  readonly time: number
  readonly bytes: Uint8Array
  readonly txIds: readonly BareHex[]
}

/**
 * A transaction of P, X or C (atomic). `bytes` are the bytes whose hash is the id: codec version, transaction
 * and credentials. `height` is the height of the block, undefined in a vertex or before acceptance. `time` is
 * that of the block or vertex in Unix seconds.
 */
export type LedgerTx = {
  readonly chain: ChainAlias
  readonly id: BareHex
  readonly bytes: Uint8Array
  readonly status: 'Committed' | 'Aborted' | 'Processing'
  readonly height: number | undefined
  readonly time: number
}

/** An unspent output. `id` is sha256(u64 index || txId); `bytes` is what getUTXOs returns, codec version included. */
export type LedgerUtxo = {
  readonly id: BareHex
  readonly txId: BareHex
  readonly outputIndex: number
  readonly assetId: BareHex
  readonly output: Output
  readonly bytes: Uint8Array
}

/** The renewal settings of an auto-renewed validator. */
export type Renewal = {
  /** Who may change it. */
  readonly authority: Owner
  /** The share of a cycle's rewards that is restaked, in millionths. */
  readonly autoCompoundShares: number
  /** Duration of the next cycle in seconds; 0 if this one is the last. */
  readonly nextPeriod: number
  /**
   * Restaked rewards of earlier cycles, its own and those of its delegations, by which its weight has grown.
   * nAVAX.
   */
  readonly restaked: bigint
  readonly restakedDelegatee: bigint
}

/** A validator or delegator of the primary network, or one of a subnet that is not an L1. Amounts in nAVAX. */
export type Staker = {
  readonly txId: BareHex
  readonly kind: 'validator' | 'delegator'
  readonly subnetId: BareHex
  readonly nodeId: BareHex
  readonly start: number
  readonly end: number
  readonly weight: bigint
  readonly potentialReward: bigint
  /**
   * The share of its delegators' rewards that a validator keeps, in millionths; undefined for delegators and
   * permissioned validators.
   */
  readonly shares: number | undefined
  /** The validator's share of its delegators' rewards so far, paid at its end or at the end of its cycle. */
  readonly accruedDelegateeReward: bigint
  readonly signer: Proof | undefined
  readonly validationOwner: Owner | undefined
  readonly delegationOwner: Owner | undefined
  /** Only for auto-renewed validators. */
  readonly renewal?: Renewal
}

export type L1Validator = {
  readonly validationId: BareHex
  readonly subnetId: BareHex
  readonly nodeId: BareHex
  /** Compressed BLS key, 48 bytes. */
  readonly publicKey: BareHex
  readonly weight: bigint
  readonly start: number
  readonly minNonce: bigint
  /** Remaining nAVAX at the chain's time; 0 if it is inactive. */
  readonly balance: bigint
  readonly remainingBalanceOwner: Owner
  readonly deactivationOwner: Owner
}

/**
 * One member of a validator set, as returned by getValidatorsAt. Inactive L1 validators have no key and node
 * id zero.
 */
export type SetMember = {
  readonly nodeId: BareHex
  readonly weight: bigint
  readonly publicKey: BareHex | undefined
}

export type Subnet = {
  readonly id: BareHex
  readonly owner: Owner
  readonly transformTxId: BareHex | undefined
  readonly conversion:
    { readonly id: BareHex; readonly managerChainId: BareHex; readonly managerAddress: BareHex } | undefined
}

/**
 * A blockchain of the network; its id is that of its CreateChainTx. The primary network's chains come from
 * the genesis.
 */
export type Blockchain = {
  readonly id: BareHex
  readonly name: string
  readonly subnetId: BareHex
  readonly vmId: BareHex
}

/** The state of a dynamic fee: `excess` over the target, and the resulting price. `time` in Unix seconds. */
export type FeeState = {
  readonly capacity: bigint
  readonly excess: bigint
  readonly price: bigint
  readonly time: number
}

export type XAsset = {
  readonly id: BareHex
  readonly name: string
  readonly symbol: string
  readonly denomination: number
}

/** An X vertex before the linearisation. `index` is the order of acceptance, from 0. */
export type Vertex = {
  readonly index: number
  readonly id: BareHex
  readonly height: number
  readonly time: number
  readonly parents: readonly BareHex[]
  readonly txIds: readonly BareHex[]
  readonly bytes: Uint8Array
}

/**
 * An entry of the index API. For blocks, `bytes` and `id` are those of the proposer's wrapper (the bare block
 * in ages without wrappers); for vertices and transactions, their own. Index 0 of the blocks is height 1.
 */
export type Container = {
  readonly index: number
  readonly id: BareHex
  readonly bytes: Uint8Array
  readonly time: number
}

export type ContainerKind = 'P/block' | 'X/block' | 'X/vtx' | 'X/tx'

/** Unix seconds of the network upgrades, and the id of the vertex that ends X's vertex age. */
export type Upgrades = {
  readonly apricotPhase4: number
  readonly banff: number
  readonly cortina: number
  readonly durango: number
  readonly etna: number
  readonly granite: number
  readonly helicon: number
  readonly stopVertexId: BareHex
}

/** A transaction was refused; the message is the node's. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
}

/** The effect of a block on an account, apart from the block's transactions. */
export type AccountChange = {
  /** 20 bytes, hex without 0x. */
  readonly account: string
  /** nAVAX; negative for exports. */
  readonly amount: bigint
  /** The number of nonces that it consumes. */
  readonly exports: number
}

/** EVM state that atomic transactions depend on. Amounts in wei; accounts by their 20 bytes. */
export type EvmView = {
  readonly baseFee: bigint
  readonly accounts: ReadonlyMap<BareHex, { readonly balance: bigint; readonly nonce: bigint }>
}

/** The set of UTXOs to read: a chain's own, or those exported to it by `source`. */
export type UtxoView = {
  readonly chain: ChainAlias
  readonly source?: ChainAlias
}

/**
 * The P-Chain, the X-Chain and the C-Chain's atomic transactions of the sample network, in memory. All read
 * methods return the newest accepted state; returned values never change.
 */
export type Ledger = {
  readonly networkId: 5
  readonly ids: { readonly P: BareHex; readonly X: BareHex; readonly C: BareHex; readonly avax: BareHex }
  readonly upgrades: Upgrades
  /** The P-Chain's genesis bytes; P block 0's parent is their hash. */
  readonly genesisBytes: Uint8Array

  /** Height of the newest block. For C: the newest height whose atomic transactions are determined. */
  height(chain: ChainAlias): number
  block(chain: 'P' | 'X', at: number | BareHex): LedgerBlock | undefined
  /** The P-Chain's time, Unix seconds. */
  chainTime(): number
  tx(chain: ChainAlias, id: BareHex): LedgerTx | undefined

  /** The UTXOs that `address` is an owner of, ascending by id, which is the node's page order. */
  utxos(view: UtxoView, address: BareHex): readonly LedgerUtxo[]
  utxo(view: UtxoView, id: BareHex): LedgerUtxo | undefined
  /**
   * UTXOs paid when a staker ended, by the id of the staking transaction, or when a cycle of an auto-renewed
   * validator ended, by the id of the RewardAutoRenewedValidatorTx. Empty if nothing was paid.
   */
  rewardUtxos(txId: BareHex): readonly LedgerUtxo[]

  /**
   * The current stakers of a subnet (32 zero bytes: the primary network), delegators included, in the order
   * of their ends.
   */
  currentStakers(subnetId: BareHex): readonly Staker[]
  pendingStakers(subnetId: BareHex): readonly Staker[]
  /** Whether the node is connected now, and the share of its validation that it was online, 0 to 1. */
  uptime(nodeId: BareHex): { readonly isConnected: boolean; readonly share: number }
  l1Validator(validationId: BareHex): L1Validator | undefined
  l1Validators(subnetId: BareHex): readonly L1Validator[]
  /** The set of `subnetId` after the block of this height; undefined above the newest. */
  validatorsAt(height: number, subnetId: BareHex): readonly SetMember[] | undefined

  /** Without the primary network. */
  subnets(): readonly Subnet[]
  subnet(id: BareHex): Subnet | undefined
  blockchains(): readonly Blockchain[]
  /** In the smallest unit of the staking asset; undefined if the subnet has no supply. */
  supply(subnetId: BareHex): bigint | undefined
  /** The staking asset of the primary network or of an elastic subnet. */
  stakingAsset(subnetId: BareHex): BareHex | undefined
  /** Sum of weights of current stakers, L1 validators included. */
  totalStake(subnetId: BareHex): bigint
  /** The state of the P-Chain's gas fee. */
  feeState(): FeeState
  /** The state of the L1 validator fee, nAVAX per second. */
  validatorFeeState(): FeeState

  asset(id: BareHex): XAsset | undefined
  vertex(id: BareHex): Vertex | undefined
  /** The number of containers. */
  containers(kind: ContainerKind): number
  container(kind: ContainerKind, index: number): Container | undefined
  containerOf(kind: ContainerKind, id: BareHex): Container | undefined

  /** blockExtraData of the C block of this height: its atomic transactions; undefined when it has none. */
  extraData(height: number): Uint8Array | undefined

  /**
   * Queues a signed transaction for the next block and returns its id. A C transaction must be checked
   * against the EVM: accounts not in `seen` count as left by the ledger's atomic transactions. Throws
   * `LedgerError`.
   */
  issue(chain: ChainAlias, bytes: Uint8Array, seen?: EvmView): BareHex
  /** Calls `listener` for every new P and X block. Returns a function that unsubscribes. */
  onBlock(listener: (block: LedgerBlock) => void): () => void
}
