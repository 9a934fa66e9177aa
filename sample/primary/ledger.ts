import { type Owner, type Output, type Proof } from './transactions.ts'

/** Bytes as lower-case hex without 0x: ids have 64 digits, addresses and node ids 40. */
export type Hex = string

export type ChainName = 'P' | 'X' | 'C'

/** An accepted block of P or X. `time` in Unix seconds, the chain's own (Apricot blocks hold none in their bytes). */
export type LedgerBlock = {
  readonly chain: 'P' | 'X'
  readonly height: number
  readonly id: Hex
  readonly parentId: Hex
  readonly time: number
  readonly bytes: Uint8Array
  readonly txIds: readonly Hex[]
}

/**
 * A transaction of P, X or C (atomic). `bytes` is what the id is the hash of: the codec version, the transaction, its
 * credentials. `height` is that of its block, undefined for what stood in a vertex or waits for its block. `time` is
 * Unix seconds, of the block or the vertex.
 */
export type LedgerTx = {
  readonly chain: ChainName
  readonly id: Hex
  readonly bytes: Uint8Array
  readonly status: 'Committed' | 'Aborted' | 'Processing'
  readonly height: number | undefined
  readonly time: number
}

/** An unspent output. `id` is sha256(u64 index || txId); `bytes` is what getUTXOs returns, codec version included. */
export type LedgerUtxo = {
  readonly id: Hex
  readonly txId: Hex
  readonly outputIndex: number
  readonly assetId: Hex
  readonly output: Output
  readonly bytes: Uint8Array
}

/** What an auto-renewed validator goes by from one cycle to the next. */
export type Renewal = {
  /** Who may change it. */
  readonly authority: Owner
  /** Millionths of a cycle's rewards that are staked again. */
  readonly autoCompoundShares: number
  /** Seconds of the next cycle; 0 when this one is the last. */
  readonly nextPeriod: number
  /** Rewards of former cycles that its weight has grown by: its own, and those of its delegations. nAVAX. */
  readonly restaked: bigint
  readonly restakedDelegatee: bigint
}

/** A validator or delegator of the primary network, or one of a subnet that is no L1. Amounts in nAVAX. */
export type Staker = {
  readonly txId: Hex
  readonly kind: 'validator' | 'delegator'
  readonly subnetId: Hex
  readonly nodeId: Hex
  readonly start: number
  readonly end: number
  readonly weight: bigint
  readonly potentialReward: bigint
  /** Millionths that a validator keeps of its delegators' rewards; undefined for delegators and permissioned ones. */
  readonly shares: number | undefined
  /** What a validator has earned of its delegators' rewards and is paid at its end, or at that of its cycle. */
  readonly accruedDelegateeReward: bigint
  readonly signer: Proof | undefined
  readonly validationOwner: Owner | undefined
  readonly delegationOwner: Owner | undefined
  /** Of auto-renewed validators alone. */
  readonly renewal?: Renewal
}

export type L1Validator = {
  readonly validationId: Hex
  readonly subnetId: Hex
  readonly nodeId: Hex
  /** Compressed BLS key, 48 bytes. */
  readonly publicKey: Hex
  readonly weight: bigint
  readonly start: number
  readonly minNonce: bigint
  /** nAVAX left at the chain's time; 0 when it is inactive. */
  readonly balance: bigint
  readonly remainingBalanceOwner: Owner
  readonly deactivationOwner: Owner
}

/** One member of a validator set, as getValidatorsAt tells it. Inactive L1 validators have no key and node id zero. */
export type SetMember = {
  readonly nodeId: Hex
  readonly weight: bigint
  readonly publicKey: Hex | undefined
}

export type Subnet = {
  readonly id: Hex
  readonly owner: Owner
  readonly transformTxId: Hex | undefined
  readonly conversion:
    { readonly id: Hex; readonly managerChainId: Hex; readonly managerAddress: Hex } | undefined
}

/** A chain of the network; its id is that of the CreateChainTx. The primary network's chains come from the genesis. */
export type Blockchain = {
  readonly id: Hex
  readonly name: string
  readonly subnetId: Hex
  readonly vmId: Hex
}

/** A dynamic fee's state: `excess` over the target and the price that follows. `time` in Unix seconds. */
export type FeeState = {
  readonly capacity: bigint
  readonly excess: bigint
  readonly price: bigint
  readonly time: number
}

export type XAsset = {
  readonly id: Hex
  readonly name: string
  readonly symbol: string
  readonly denomination: number
}

/** A vertex of X before its linearisation. `index` counts in the order of acceptance, from 0. */
export type Vertex = {
  readonly index: number
  readonly id: Hex
  readonly height: number
  readonly time: number
  readonly parents: readonly Hex[]
  readonly txIds: readonly Hex[]
  readonly bytes: Uint8Array
}

/**
 * What the index API holds. For blocks `bytes` is the proposer's wrapper (the bare block before the wrapper came into
 * use) and `id` its id; for vertices and transactions their own. Index 0 of the blocks is height 1.
 */
export type Container = {
  readonly index: number
  readonly id: Hex
  readonly bytes: Uint8Array
  readonly time: number
}

export type ContainerKind = 'P/block' | 'X/block' | 'X/vtx' | 'X/tx'

/** Unix seconds of the network upgrades, with the id of the vertex that ends X's first age. */
export type Upgrades = {
  readonly apricotPhase4: number
  readonly banff: number
  readonly cortina: number
  readonly durango: number
  readonly etna: number
  readonly granite: number
  readonly helicon: number
  readonly stopVertexId: Hex
}

/** A transaction is refused; the message is the node's. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
}

/** What a block does to an account besides its transactions. */
export type AccountChange = {
  /** 20 bytes, hex without 0x. */
  readonly account: string
  /** nAVAX; negative when it leaves. */
  readonly amount: bigint
  /** How many nonces it uses up. */
  readonly exports: number
}

/** What the EVM knows and an atomic transaction depends on. Wei; accounts by their 20 bytes. */
export type EvmView = {
  readonly baseFee: bigint
  readonly accounts: ReadonlyMap<Hex, { readonly balance: bigint; readonly nonce: bigint }>
}

/** Whose memory UTXOs are read from: a chain's own, or what `source` has sent to it. */
export type UtxoView = {
  readonly chain: ChainName
  readonly source?: ChainName
}

/**
 * The P-chain, the X-chain and the C-chain's atomic transactions of the sample network, in memory. All readers answer
 * for the newest accepted state; nothing they return changes later.
 */
export type Ledger = {
  readonly networkId: 5
  readonly ids: { readonly P: Hex; readonly X: Hex; readonly C: Hex; readonly avax: Hex }
  readonly upgrades: Upgrades
  /** The P-chain's genesis bytes; P block 0's parent is their hash. */
  readonly genesisBytes: Uint8Array

  /** Height of the newest block. C: the newest height whose atomic transactions are settled. */
  height(chain: ChainName): number
  block(chain: 'P' | 'X', at: number | Hex): LedgerBlock | undefined
  /** The P-chain's time, Unix seconds. */
  chainTime(): number
  tx(chain: ChainName, id: Hex): LedgerTx | undefined

  /** The UTXOs that `address` has a key of, by id ascending: the order in which the node pages through them. */
  utxos(view: UtxoView, address: Hex): readonly LedgerUtxo[]
  utxo(view: UtxoView, id: Hex): LedgerUtxo | undefined
  /**
   * UTXOs paid when a staker ended, by the staking transaction's id, or when a cycle of an auto-renewed validator did, by
   * that of the RewardAutoRenewedValidatorTx. Empty when nothing was paid.
   */
  rewardUtxos(txId: Hex): readonly LedgerUtxo[]

  /** Those of a subnet (32 zero bytes: the primary network), in the order they end, delegators among them. */
  currentStakers(subnetId: Hex): readonly Staker[]
  pendingStakers(subnetId: Hex): readonly Staker[]
  /** Whether the node is seen now, and its share of its validation online, 0 to 1. */
  uptime(nodeId: Hex): { readonly isConnected: boolean; readonly share: number }
  l1Validator(validationId: Hex): L1Validator | undefined
  l1Validators(subnetId: Hex): readonly L1Validator[]
  /** The set of `subnetId` after the block of this height; undefined above the newest. */
  validatorsAt(height: number, subnetId: Hex): readonly SetMember[] | undefined

  /** Without the primary network. */
  subnets(): readonly Subnet[]
  subnet(id: Hex): Subnet | undefined
  blockchains(): readonly Blockchain[]
  /** In the smallest unit of the staking asset; undefined if the subnet has no supply. */
  supply(subnetId: Hex): bigint | undefined
  /** The staking asset of the primary network or of an elastic subnet. */
  stakingAsset(subnetId: Hex): Hex | undefined
  /** Sum of weights of current stakers, L1 validators included. */
  totalStake(subnetId: Hex): bigint
  /** The P-chain's gas. */
  feeState(): FeeState
  /** The fee of L1 validators, nAVAX a second. */
  validatorFeeState(): FeeState

  asset(id: Hex): XAsset | undefined
  vertex(id: Hex): Vertex | undefined
  /** How many containers there are. */
  containers(kind: ContainerKind): number
  container(kind: ContainerKind, index: number): Container | undefined
  containerOf(kind: ContainerKind, id: Hex): Container | undefined

  /** blockExtraData of the C block of this height: its atomic transactions; undefined when it has none. */
  extraData(height: number): Uint8Array | undefined

  /**
   * Takes a signed transaction for the next block and returns its id. One of C needs to be held against the EVM: what
   * is not `seen` there counts as the ledger's atomic transactions left it. Throws `LedgerError`.
   */
  issue(chain: ChainName, bytes: Uint8Array, seen?: EvmView): Hex
  /** Hears of every new block of P and X; returns how to stop hearing. */
  onBlock(listener: (block: LedgerBlock) => void): () => void
}
