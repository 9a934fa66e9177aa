import type { AssetAmount, Utxo } from '../../../contract/primary/fields.ts'
import type { PrimaryTransaction } from '../../../contract/primary/transactions.ts'
import {
  referenceKey,
  readTransactionDetails,
  type TransactionDetails,
} from '../../primary/transaction-details.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import type { Queryable } from '../../store/database.ts'
import {
  readTxStakers,
  readTxValidations,
  type TxRow,
  type TxStakerRow,
  type TxValidationRow,
} from '../../store/primary/read-transactions.ts'
import { type CycleRow, readCyclesOf } from '../../store/primary/read-cycles.ts'
import { readTxUtxos, type UtxoRow } from '../../store/primary/read-utxos.ts'
import { readVerticesOf } from '../../store/primary/read-vertices.ts'
import { cycleFields } from './cycle-fields.ts'
import { genesisOf } from './genesis-text.ts'
import { chainTime, openAssets, type AssetBook, type NetworkView } from './context.ts'
import type { ServedChain } from '../../primary/served-network.ts'
import { xTxTypeIds } from '../../../protocol/primary/transaction-types.ts'
import { txTypeName } from '../../primary/transaction-types.ts'
import { amountOf, isNft, type OutputRow, outputFields, utxoFields } from './utxo-fields.ts'

/** The data from which answers about transactions are built. */
type Material = {
  readonly view: NetworkView
  readonly chain: ServedChain
  readonly assets: AssetBook
  readonly stakers: ReadonlyMap<string, TxStakerRow>
  readonly validations: readonly TxValidationRow[]
  /** The periods that the transactions ended, by transaction. */
  readonly cycles: ReadonlyMap<string, CycleRow>
  /** The vertices of the X-Chain that contain the transactions. */
  readonly vertices: Awaited<ReturnType<typeof readVerticesOf>>
}

/** An output with the beginning of its stake; null for one that is no stake. */
export type StakedOutput = OutputRow & Pick<UtxoRow, 'staked_from'>

/** A UTXO that a transaction spends or makes, with its fields in the answer. */
type Moved = { readonly row: StakedOutput; readonly fields: Utxo }
type Moves = { readonly consumed: readonly Moved[]; readonly emitted: readonly Moved[] }

/** RewardAutoRenewedValidatorTx. */
const renewedRewardType = 42

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The answers for transactions (docs/api.md, Primary network), in the order of the rows. */
export async function transactionAnswers(
  database: Queryable,
  view: NetworkView,
  chain: ServedChain,
  rows: readonly TxRow[],
): Promise<PrimaryTransaction[]> {
  if (rows.length === 0) return []
  const details = rows.map((row) => readTransactionDetails(chain.alias, row.bytes))
  const stakerIds = details.flatMap(({ stakingTxId }, index) => {
    const own = rows[index]
    return [...(own ? [own.id] : []), ...(stakingTxId ? [Buffer.from(stakingTxId)] : [])]
  })
  const validationIds = details.flatMap(({ validations }) => validations.map((id) => Buffer.from(id)))
  const isP = chain.alias === 'p-chain'
  const renewed = rows.filter((row) => isP && row.type === renewedRewardType).map(({ id }) => id)
  // Before the X-Chain had blocks, its transactions were in vertices.
  const inVertices = rows.filter(({ height }) => chain.alias === 'x-chain' && height < 0n).map(({ id }) => id)
  const [utxos, stakers, cycles, vertices, validations] = await Promise.all([
    readTxUtxos(database, chain.key, rows),
    isP ? readTxStakers(database, stakerIds) : [],
    renewed.length === 0 ? [] : readCyclesOf(database, chain.key, renewed),
    inVertices.length === 0 ? [] : readVerticesOf(database, chain.key, inVertices),
    validationIds.length === 0
      ? []
      : readTxValidations(
          database,
          chain.key,
          validationIds,
          rows.map(({ height }) => height),
        ),
  ])
  const evmAssets = details.flatMap(({ evmInputs, evmOutputs }) =>
    [...evmInputs, ...evmOutputs].map(({ assetId }) => Buffer.from(assetId)),
  )
  const created = rows.map(({ id }) => id)
  const assets = await openAssets(database, view, [
    ...utxos.map(({ asset }) => asset),
    ...evmAssets,
    ...(chain.alias === 'x-chain' ? created : []),
    ...(view.avax ? [view.avax] : []),
  ])
  const material: Material = {
    view,
    chain,
    assets,
    stakers: new Map(stakers.map((row) => [hex(row.tx_id), row])),
    cycles: new Map(cycles.map((row) => [hex(row.tx_id), row])),
    vertices,
    validations,
  }
  const time = chainTime(view)
  return rows.map((row, index) => {
    const own = utxos.filter(({ place }) => place === BigInt(index + 1))
    const detail = details[index] ?? readTransactionDetails(chain.alias, row.bytes)
    const moves = {
      consumed: own
        .filter(({ consumed }) => consumed)
        .map((utxo) => {
          const signatures = detail.signatures.get(referenceKey(utxo.tx_id, utxo.output_index))
          return { row: utxo, fields: utxoFields(utxo, view, assets, time, signatures) }
        }),
      emitted: own
        .filter(({ consumed }) => !consumed)
        .map((utxo) => ({ row: utxo, fields: utxoFields(utxo, view, assets, time) })),
    }
    return transactionFields(row, detail, moves, material)
  })
}

/** A transaction that no index has, and what it spends and makes. */
export type UnindexedTx = Pick<TxRow, 'id' | 'type' | 'bytes'> & {
  readonly consumed: readonly StakedOutput[]
  readonly emitted: readonly StakedOutput[]
}

/** The answer for it, without its place in the chain and what only history tells. `open` has the names of assets. */
export async function unindexedAnswer(
  database: Queryable,
  view: NetworkView,
  chain: ServedChain,
  tx: UnindexedTx,
  open: (assets: readonly Buffer[]) => Promise<AssetBook>,
): Promise<PrimaryTransaction> {
  const details = readTransactionDetails(chain.alias, tx.bytes)
  const evm = [...details.evmInputs, ...details.evmOutputs].map(({ assetId }) => Buffer.from(assetId))
  const assets = await open([
    ...[...tx.consumed, ...tx.emitted].map(({ asset }) => asset),
    ...evm,
    ...(view.avax ? [view.avax] : []),
  ])
  const stakers = details.stakingTxId ? await readTxStakers(database, [Buffer.from(details.stakingTxId)]) : []
  const moved = (row: StakedOutput): Moved => {
    const signatures = details.signatures.get(referenceKey(row.tx_id, row.output_index))
    const { utxoBytes, threshold, ...fields } = outputFields(row, view, assets)
    return {
      row,
      fields: {
        ...fields,
        // Of an input whose output nobody has, the owners are not known.
        ...(row.owner !== null && { utxoBytes, threshold }),
        ...(row.staked_from !== null && { utxoType: 'STAKE' }),
        ...(signatures && { credentials: signatures.map((each) => ({ signature: hexText(each) })) }),
      },
    }
  }
  const nowhere = { height: -1n, index: -1, ts: 0n, block_id: null, odd: null }
  const {
    blockTimestamp: _blockTimestamp,
    timestamp: _timestamp,
    chainFormat: _chainFormat,
    vertices: _vertices,
    assetCreated: _assetCreated,
    ...known
  } = transactionFields(
    { ...nowhere, ...tx },
    details,
    { consumed: tx.consumed.map(moved), emitted: tx.emitted.map(moved) },
    {
      view,
      chain,
      assets,
      stakers: new Map(stakers.map((row) => [hex(row.tx_id), row])),
      validations: [],
      cycles: new Map(),
      vertices: [],
    },
  )
  return known
}

function transactionFields(
  row: TxRow,
  details: TransactionDetails,
  { consumed, emitted }: Moves,
  material: Material,
): PrimaryTransaction {
  const { chain, view } = material
  const { texts } = view
  const chainText = (id: Uint8Array): string => texts.id(id)
  return {
    txHash: texts.id(row.id),
    txType: txTypeName(chain.alias, row.type),
    blockTimestamp: Number(row.ts),
    ...(row.height >= 0n && { blockNumber: row.height.toString() }),
    ...(row.block_id !== null && { blockHash: texts.block(chain.alias, row.block_id) }),
    consumedUtxos: consumed.map(({ fields }) => fields),
    emittedUtxos: emitted.map(({ fields }) => fields),
    ...(details.sourceChain && { sourceChain: chainText(details.sourceChain) }),
    ...(details.destinationChain && { destinationChain: chainText(details.destinationChain) }),
    ...amountFields(
      consumed.map(({ row: spent }) => spent),
      emitted.map(({ row: made }) => made),
      details,
      material,
    ),
    ...(row.odd !== null && { oddHistory: row.odd }),
    ...(details.memo && { memo: hexText(details.memo) }),
    ...(chain.alias === 'p-chain' ? pFields(row, details, material) : xcFields(row, details, material)),
  }
}

/** Sums by asset, in order of first occurrence. */
class Sums {
  readonly #sums = new Map<string, { asset: Buffer; amount: bigint; isNft: boolean }>()

  add(asset: Uint8Array, amount: bigint, nft = false): void {
    const key = `${hex(asset)} ${nft}`
    const sum = this.#sums.get(key) ?? { asset: Buffer.from(asset), amount: 0n, isNft: nft }
    sum.amount += amount
    this.#sums.set(key, sum)
  }

  addUtxos(utxos: readonly OutputRow[], sign = 1n): this {
    for (const utxo of utxos) this.add(utxo.asset, sign * amountOf(utxo), isNft(utxo))
    return this
  }

  /** The positive sums. */
  fields(assets: AssetBook): AssetAmount[] {
    return [...this.#sums.values()]
      .filter(({ amount }) => amount > 0n)
      .map(({ asset, amount, isNft: nft }) => assets.amount(asset, amount.toString(), nft))
  }
}

function amountFields(
  consumed: readonly StakedOutput[],
  emitted: readonly StakedOutput[],
  details: TransactionDetails,
  { assets, chain, view }: Material,
): Partial<PrimaryTransaction> {
  const value = new Sums().addUtxos(emitted)
  const burned = new Sums().addUtxos(consumed).addUtxos(emitted, -1n)
  for (const { assetId, amount } of details.evmOutputs) {
    value.add(assetId, amount)
    burned.add(assetId, -amount)
  }
  for (const { assetId, amount } of details.evmInputs) burned.add(assetId, amount)
  const paid = new Sums()
  if (view.avax && details.l1Balance > 0n) {
    burned.add(view.avax, -details.l1Balance)
    paid.add(view.avax, details.l1Balance)
  }
  const staked = new Sums().addUtxos(emitted.filter((utxo) => utxo.staked_from !== null))
  return {
    value: value.fields(assets),
    amountBurned: burned.fields(assets),
    amountStaked: staked.fields(assets),
    amountL1ValidatorBalanceBurned: paid.fields(assets),
    ...(chain.alias !== 'p-chain' && {
      amountUnlocked: new Sums().addUtxos(consumed).fields(assets),
      amountCreated: new Sums().addUtxos(emitted).fields(assets),
    }),
  }
}

function pFields(row: TxRow, details: TransactionDetails, material: Material): Partial<PrimaryTransaction> {
  const { view, stakers, validations, cycles } = material
  const { texts } = view
  const own = stakers.get(row.id.toString('hex'))
  const ended = details.stakingTxId && stakers.get(hex(details.stakingTxId))
  const staker = own ?? ended
  const cycle = cycles.get(row.id.toString('hex'))
  const period = cycle ?? staker
  const start = period ? Number(period.start_ts) : details.terms && safeTime(details.terms.start)
  const end = period ? Number(period.end_ts) : details.terms && safeTime(details.terms.end)
  const node = details.nodeId ?? staker?.node
  const subnet = details.subnetId ?? staker?.subnet
  const rewarded = staker?.reward_addresses ?? details.rewardAddresses
  const changes = validations.filter((each) => each.height === row.height && each.index === row.index)
  return {
    ...(start !== undefined && { startTimestamp: start }),
    ...(end !== undefined && { endTimestamp: end }),
    ...(details.shares !== undefined && { delegationFeePercent: percentOf(details.shares) }),
    ...(node && { nodeId: texts.node(node) }),
    ...(subnet && { subnetId: texts.id(subnet) }),
    ...(own?.potential_reward != null && { estimatedReward: own.potential_reward }),
    ...(own?.ended_tx && own.outcome !== 'removed' && { rewardTxHash: texts.id(own.ended_tx) }),
    ...(details.stakingTxId && { stakingTxHash: texts.id(details.stakingTxId) }),
    rewardAddresses: texts.addresses(rewarded ?? []),
    ...(details.signer && {
      blsCredentials: {
        publicKey: hexText(details.signer.publicKey),
        proofOfPossession: hexText(details.signer.proof),
      },
    }),
    ...(details.renewal && {
      autoRenewalTerms: {
        autoCompoundPercentage: percentOf(details.renewal.compoundShares),
        periodSeconds: details.renewal.period,
        ...(details.renewal.authority && {
          authorityAddresses: texts.addresses(details.renewal.authority.addresses),
        }),
      },
    }),
    ...(cycle && { validationCycle: cycleFields(cycle, texts) }),
    ...(details.owner && {
      subnetOwnershipInfo: {
        locktime: details.owner.locktime,
        threshold: details.owner.threshold,
        addresses: texts.addresses(details.owner.addresses),
      },
    }),
    ...(details.manager && {
      l1ValidatorManagerDetails: {
        blockchainId: texts.id(details.manager.chainId),
        contractAddress: hexText(details.manager.address),
      },
    }),
    l1ValidatorDetails: changes.map((each) => validationFields(each, view)),
    ...(details.chain && {
      blockchainInfo: {
        chainName: details.chain.name,
        vmId: texts.id(details.chain.vmId),
        ...genesisOf(details.chain.genesis).asField(),
      },
    }),
  }
}

function validationFields(each: TxValidationRow, { texts }: NetworkView) {
  return {
    validationId: texts.id(each.validation_id),
    validationIdHex: hexText(each.validation_id),
    nodeId: texts.node(each.node),
    subnetId: texts.id(each.subnet),
    weight: BigInt(each.weight),
    remainingBalance: BigInt(each.balance),
    balanceChange: BigInt(each.balance_change),
    blsCredentials: { publicKey: hexText(each.bls_key) },
  }
}

function xcFields(row: TxRow, details: TransactionDetails, material: Material): Partial<PrimaryTransaction> {
  const { chain, assets } = material
  const isC = chain.alias === 'c-chain'
  const evm = (each: { assetId: Uint8Array; amount: bigint }) =>
    assets.amount(Buffer.from(each.assetId), each.amount.toString())
  return {
    // Lists that only the P-Chain fills are always part of the record.
    rewardAddresses: [],
    l1ValidatorDetails: [],
    timestamp: Number(row.ts),
    ...(row.height >= 0n && { blockHeight: Number(row.height) }),
    ...(!isC &&
      (row.height >= 0n
        ? { chainFormat: 'linear' }
        : { chainFormat: 'non-linear', vertices: verticesOf(row, material) })),
    ...(chain.alias === 'x-chain' &&
      row.type === xTxTypeIds.CreateAssetTx && { assetCreated: createdAsset(row, material) }),
    ...(isC && {
      evmInputs: details.evmInputs.map((input) => ({
        fromAddress: hexText(input.address),
        asset: evm(input),
        credentials: input.signatures.map((signature) => ({ signature: hexText(signature) })),
      })),
      evmOutputs: details.evmOutputs.map((output) => ({
        toAddress: hexText(output.address),
        asset: evm(output),
      })),
    }),
  }
}

function verticesOf(row: TxRow, { vertices, view }: Material): NonNullable<PrimaryTransaction['vertices']> {
  return vertices
    .filter(({ transaction }) => transaction.equals(row.id))
    .map(({ id, height, ts }) => ({
      hash: view.texts.id(id),
      height: Number(height),
      timestamp: Number(ts),
    }))
}

/** The asset created by a CreateAssetTx has the transaction's id. */
function createdAsset(row: TxRow, { assets }: Material): NonNullable<PrimaryTransaction['assetCreated']> {
  const made = assets.row(row.id)
  return {
    ...assets.facts(row.id),
    type: made?.is_nft === true ? 'nft' : 'secp256k1',
    createdAtTimestamp: Number(row.ts),
    ...(made && { cap: made.is_variable ? 'variable' : 'fixed' }),
  }
}

/** Millionths as a percentage with four decimals. */
export const percentOf = (shares: number): string =>
  `${Math.floor(shares / 10_000)}.${String(shares % 10_000).padStart(4, '0')}`

/** A time as a JSON number if it is safe; bytes may contain any value. */
const safeTime = (time: bigint): number | undefined =>
  time <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(time) : undefined
