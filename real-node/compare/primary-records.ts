import { utils } from '@avalabs/avalanchejs'
import { createHash } from 'node:crypto'
import {
  type BlockPlace,
  type JsonOwners,
  type NodeBlock,
  type NodeInput,
  type NodeOutput,
  type NodeTransaction,
  withoutChain,
} from './primary-node.ts'

/** The names of the codec's type ids of P and X: transactions, and blocks of P. */
const pTypes: Readonly<Record<number, string>> = {
  13: 'AddSubnetValidatorTx',
  15: 'CreateChainTx',
  16: 'CreateSubnetTx',
  17: 'ImportTx',
  18: 'ExportTx',
  20: 'RewardValidatorTx',
  23: 'RemoveSubnetValidatorTx',
  25: 'AddPermissionlessValidatorTx',
  26: 'AddPermissionlessDelegatorTx',
  33: 'TransferSubnetOwnershipTx',
  34: 'BaseTx',
  35: 'ConvertSubnetToL1Tx',
  36: 'RegisterL1ValidatorTx',
  37: 'SetL1ValidatorWeightTx',
  38: 'IncreaseL1ValidatorBalanceTx',
  39: 'DisableL1ValidatorTx',
}
const xTypes = ['BaseTx', 'CreateAssetTx', 'OperationTx', 'ImportTx', 'ExportTx']
const pBlockTypes: Readonly<Record<number, string>> = {
  2: 'ApricotCommitBlock',
  29: 'BanffProposalBlock',
  30: 'BanffAbortBlock',
  31: 'BanffCommitBlock',
  32: 'BanffStandardBlock',
}

/** The node's data of P, X and the atomic transactions of C, with derived values. */
export type PrimaryOfNode = {
  readonly pChainId: string
  readonly xChainId: string
  readonly cChainId: string
  /** Unix seconds of the start of P. */
  readonly genesisTime: number
  readonly p: readonly NodeBlock[]
  readonly x: readonly NodeBlock[]
  readonly c: readonly AtomicTransaction[]
  readonly avaxId: string
  /** `avm.getAssetDescription` of every asset. */
  readonly assets: ReadonlyMap<string, AssetDescription>
  /** Outputs by transaction and index, and the transactions that spend them. */
  readonly outputs: ReadonlyMap<string, NodeOutput>
  readonly spenders: ReadonlyMap<string, Spender>
  /** By staking transaction. */
  readonly stakes: ReadonlyMap<string, Stake>
}

export type AssetDescription = {
  readonly name: string
  readonly symbol: string
  readonly denomination: string
}

/** The transaction that spends an output. */
export type Spender = {
  readonly id: string
  readonly block: BlockPlace
}

/** A stake on the primary network or a subnet, from its transaction to its end. */
export type Stake = {
  readonly transaction: NodeTransaction
  readonly nodeId: string
  readonly subnetId: string
  readonly start: number
  readonly end: number
  /** The maximum reward; undefined on a subnet without rewards. */
  readonly potentialReward: string | undefined
  readonly rewardOwners: readonly string[]
  /** The transaction that ended it, and the paid UTXOs. */
  readonly endedBy: NodeTransaction | undefined
  readonly rewards: readonly PaidReward[]
}

export type PaidReward = {
  readonly kind: 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE'
  readonly output: NodeOutput
}

/** An atomic transaction of the C-Chain, which moves money between an account and UTXOs. */
export type AtomicTransaction = {
  readonly id: string
  readonly bytes: string
  readonly type: 'ImportTx' | 'ExportTx'
  readonly block: BlockPlace
  /** The chain that it imports from or exports to. */
  readonly peer: string
  readonly inputs: readonly NodeInput[]
  readonly outputs: readonly NodeOutput[]
  readonly accounts: readonly {
    readonly address: string
    readonly amount: string
    readonly assetId: string
  }[]
  readonly signatures: readonly string[]
}

export const keyOf = ({ txId, index }: { readonly txId: string; readonly index: number }): string =>
  `${txId}:${index}`

/** AssetAmount of docs/api.md. */
export function assetAmount(node: PrimaryOfNode, assetId: string, amount: string, isNft = false) {
  const { name, symbol, denomination } = node.assets.get(assetId) ?? {
    name: '?',
    symbol: '?',
    denomination: '?',
  }
  return { assetId, name, symbol, denomination, type: isNft ? 'nft' : 'secp256k1', amount }
}

/** A UTXO's id: the hash of its index and its transaction (avalanchego, ids.ID.Prefix). */
export function utxoIdOf({ txId, index }: { readonly txId: string; readonly index: number }): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(index))
  const whole = Buffer.concat([bytes, utils.base58check.decode(txId)])
  return utils.base58check.encode(createHash('sha256').update(whole).digest())
}

/** A UTXO as in docs/api.md, without its bytes; `signatures` if a transaction consumes it. */
export function utxoRecord(
  node: PrimaryOfNode,
  output: NodeOutput,
  signatures?: readonly string[],
): Record<string, unknown> {
  const { txId, block, locktime } = output
  const spender = node.spenders.get(keyOf(output))
  const stake = output.isStake ? node.stakes.get(txId) : undefined
  const reward = node.stakes.get(txId)?.rewards.find((each) => each.output.index === output.index)
  const isP = output.madeOn === node.pChainId
  return {
    addresses: output.addresses,
    asset: assetAmount(node, output.assetId, output.amount, output.kind === 'nft'),
    consumedOnChainId: output.spentOn,
    createdOnChainId: output.madeOn,
    utxoId: utxoIdOf(output),
    amount: output.amount,
    assetId: output.assetId,
    blockNumber: block.height,
    blockTimestamp: block.time,
    outputIndex: output.index,
    threshold: output.threshold,
    txHash: txId,
    utxoType: output.isStake ? 'STAKE' : 'TRANSFER',
    platformLocktime: locktime,
    ...(output.stakeableLocktime !== undefined && { stakeableLocktime: output.stakeableLocktime }),
    ...(stake !== undefined && {
      staked: stake.endedBy === undefined,
      utxoStartTimestamp: stake.start,
      utxoEndTimestamp: stake.end,
    }),
    ...(reward !== undefined && { rewardType: reward.kind }),
    ...(spender !== undefined && {
      consumingTxHash: spender.id,
      consumingBlockNumber: spender.block.height,
      consumingBlockTimestamp: spender.block.time,
    }),
    ...(!isP && {
      creationTxHash: txId,
      timestamp: block.time,
      locktime,
      ...(spender !== undefined && { consumingTxTimestamp: spender.block.time }),
    }),
    ...(output.groupId !== undefined && { groupId: output.groupId }),
    ...(output.payload !== undefined && { payload: output.payload }),
    ...(signatures !== undefined && { credentials: signatures.map((signature) => ({ signature })) }),
  }
}

/** A block of P or X. Its proposer is in the index only, the supply at the head only. */
export function blockRecord(node: PrimaryOfNode, { place, parentId, type, size, transactions }: NodeBlock) {
  const isP = place.chainId === node.pChainId
  return {
    blockNumber: place.height,
    blockHash: place.id,
    parentHash: parentId,
    blockTimestamp: place.time,
    blockType: isP ? pBlockTypes[type] : 'StandardBlock',
    txCount: transactions.length,
    ...(place.height > 0 && { transactions: transactions.map(({ id }) => id) }),
    blockSizeBytes: size,
  }
}

const sums = (
  outputs: readonly { assetId: string; amount: string; kind?: string }[],
): Map<string, bigint> => {
  const found = new Map<string, bigint>()
  for (const { assetId, amount, kind } of outputs) {
    const key = `${assetId} ${String(kind === 'nft')}`
    found.set(key, (found.get(key) ?? 0n) + BigInt(amount))
  }
  return found
}

/** The positive differences of two lists of sums, as amounts in any order. */
function amounts(
  node: PrimaryOfNode,
  plus: Map<string, bigint>,
  minus = new Map<string, bigint>(),
): unknown[] {
  return [...plus].flatMap(([key, amount]) => {
    const rest = amount - (minus.get(key) ?? 0n)
    const [assetId = '', isNft] = key.split(' ')
    return rest > 0n ? [assetAmount(node, assetId, String(rest), isNft === 'true')] : []
  })
}

const ownersRecord = ({ addresses, locktime, threshold }: JsonOwners) => ({
  locktime,
  threshold,
  addresses: addresses.map(withoutChain),
})

/** Millionths as a percentage. */
export const percentOf = (shares: number): string => (shares / 10_000).toFixed(4)

/** The inputs of a transaction. */
const consumedBy = (node: PrimaryOfNode, inputs: readonly NodeInput[]) =>
  inputs.map((input) => {
    const output = node.outputs.get(keyOf(input))
    if (output === undefined) throw new Error(`${keyOf(input)} was never created`)
    return { output, signatures: input.signatures }
  })

/** The common fields of all transactions. Outputs without an amount (a right to mint) are not summed. */
function commonRecord(
  node: PrimaryOfNode,
  tx: {
    readonly id: string
    readonly block: BlockPlace
    readonly inputs: readonly NodeInput[]
    readonly outputs: readonly NodeOutput[]
  },
) {
  const consumed = consumedBy(node, tx.inputs)
  return {
    txHash: tx.id,
    blockTimestamp: tx.block.time,
    blockNumber: tx.block.height,
    blockHash: tx.block.id,
    consumedUtxos: consumed.map(({ output, signatures }) => utxoRecord(node, output, signatures)),
    emittedUtxos: tx.outputs.map((output) => utxoRecord(node, output)),
  }
}

/** A transaction of P. */
export function pRecord(node: PrimaryOfNode, tx: NodeTransaction): Record<string, unknown> {
  const { unsigned } = tx
  const staked = node.stakes.get(tx.id)
  const ended = unsigned.txID === undefined ? undefined : node.stakes.get(unsigned.txID)
  const stake = staked ?? ended
  const paid = ended?.rewards.map(({ output }) => output) ?? []
  const outputs = [...tx.outputs, ...paid]
  const taken = sums(consumedBy(node, tx.inputs).map(({ output }) => output))
  const balance = [unsigned, ...(unsigned.validators ?? [])].reduce(
    (total, each) => total + BigInt(each.balance ?? 0),
    0n,
  )
  const away = sums(outputs)
  if (balance > 0n) away.set(`${node.avaxId} false`, (away.get(`${node.avaxId} false`) ?? 0n) + balance)
  const owner = unsigned.owner ?? unsigned.newOwner
  const subnetId = pTypes[tx.type] === 'CreateSubnetTx' ? tx.id : (unsigned.subnetID ?? stake?.subnetId)
  const nodeId = unsigned.validator?.nodeID ?? unsigned.nodeID ?? stake?.nodeId
  const isRewarded = staked?.endedBy !== undefined && staked.potentialReward !== undefined
  return {
    ...commonRecord(node, { ...tx, outputs }),
    txType: pTypes[tx.type],
    txBytes: tx.bytes,
    ...(unsigned.sourceChain !== undefined && { sourceChain: unsigned.sourceChain }),
    ...(unsigned.destinationChain !== undefined && { destinationChain: unsigned.destinationChain }),
    value: amounts(node, sums(outputs)),
    amountBurned: amounts(node, taken, away),
    amountStaked: amounts(node, sums(tx.outputs.filter(({ isStake }) => isStake))),
    amountL1ValidatorBalanceBurned: balance > 0n ? [assetAmount(node, node.avaxId, String(balance))] : [],
    ...(unsigned.memo !== undefined && unsigned.memo !== '0x' && { memo: unsigned.memo }),
    ...(stake !== undefined && { startTimestamp: stake.start, endTimestamp: stake.end }),
    ...(unsigned.shares !== undefined && { delegationFeePercent: percentOf(unsigned.shares) }),
    ...(nodeId !== undefined && { nodeId }),
    ...(subnetId !== undefined && { subnetId }),
    ...(staked?.potentialReward !== undefined && { estimatedReward: staked.potentialReward }),
    ...(isRewarded && { rewardTxHash: staked.endedBy?.id }),
    ...(unsigned.txID !== undefined && { stakingTxHash: unsigned.txID }),
    ...(stake !== undefined && stake.rewardOwners.length > 0 && { rewardAddresses: stake.rewardOwners }),
    ...(unsigned.signer !== undefined && { blsCredentials: unsigned.signer }),
    ...(owner !== undefined && { subnetOwnershipInfo: ownersRecord(owner) }),
    ...(unsigned.address !== undefined && {
      l1ValidatorManagerDetails: { blockchainId: unsigned.chainID, contractAddress: unsigned.address },
    }),
    ...(unsigned.chainName !== undefined && {
      blockchainInfo: {
        chainName: unsigned.chainName,
        vmId: unsigned.vmID,
        genesisData: JSON.parse(
          Buffer.from(unsigned.genesisData ?? '', 'base64').toString('utf8'),
        ) as unknown,
      },
    }),
  }
}

/** A transaction of X. */
export function xRecord(node: PrimaryOfNode, tx: NodeTransaction): Record<string, unknown> {
  const { unsigned, block } = tx
  const consumed = consumedBy(node, tx.inputs).map(({ output }) => output)
  const created = xTypes[tx.type] === 'CreateAssetTx'
  const { name, symbol, denomination } = assetAmount(node, tx.id, '0')
  return {
    ...commonRecord(node, tx),
    txType: xTypes[tx.type],
    txBytes: tx.bytes,
    ...(unsigned.sourceChain !== undefined && { sourceChain: unsigned.sourceChain }),
    ...(unsigned.destinationChain !== undefined && { destinationChain: unsigned.destinationChain }),
    value: amounts(node, sums(tx.outputs)),
    amountBurned: amounts(node, sums(consumed), sums(tx.outputs)),
    amountUnlocked: amounts(node, sums(consumed)),
    amountCreated: amounts(node, sums(tx.outputs)),
    timestamp: block.time,
    blockHeight: block.height,
    chainFormat: 'linear',
    ...(created && {
      assetCreated: {
        assetId: tx.id,
        name,
        symbol,
        denomination,
        type: tx.outputs.some(({ groupId }) => groupId !== undefined) ? 'nft' : 'secp256k1',
        createdAtTimestamp: block.time,
        // The cap is variable if there is a right to mint.
        cap: tx.outputs.some(({ kind }) => kind === 'right to mint') ? 'variable' : 'fixed',
      },
    }),
  }
}

/** An atomic transaction of C. */
export function cRecord(node: PrimaryOfNode, tx: AtomicTransaction): Record<string, unknown> {
  const consumed = sums(consumedBy(node, tx.inputs).map(({ output }) => output))
  const accounts = sums(tx.accounts)
  const isImport = tx.type === 'ImportTx'
  const made = sums(tx.outputs)
  const moved = tx.accounts.map(({ address, amount, assetId }) => ({
    address,
    asset: assetAmount(node, assetId, amount),
  }))
  return {
    ...commonRecord(node, tx),
    txType: tx.type,
    txBytes: tx.bytes,
    ...(isImport ? { sourceChain: tx.peer } : { destinationChain: tx.peer }),
    value: amounts(node, isImport ? accounts : made),
    amountBurned: isImport ? amounts(node, consumed, accounts) : amounts(node, accounts, made),
    amountUnlocked: amounts(node, consumed),
    amountCreated: amounts(node, made),
    timestamp: tx.block.time,
    blockHeight: tx.block.height,
    evmInputs: isImport
      ? []
      : moved.map(({ address, asset }) => ({
          fromAddress: address,
          asset,
          credentials: tx.signatures.map((signature) => ({ signature })),
        })),
    evmOutputs: isImport ? moved.map(({ address, asset }) => ({ toAddress: address, asset })) : [],
  }
}
