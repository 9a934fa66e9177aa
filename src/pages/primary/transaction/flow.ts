import type { Utxo } from '../../../../contract/primary/fields.ts'
import type { PrimaryTransaction } from '../../../../contract/primary/transactions.ts'
import type { Asset } from '../../../components/asset-amount.tsx'
import { chainAlias, chainLabel } from '../../../lib/primary-chains.ts'

/** The party at one end of a flow. `more` stands for those that are folded. */
type FlowParty =
  | { kind: 'owners'; addresses: readonly string[]; threshold: number }
  | { kind: 'burned' | 'l1Balance' | 'issued' }
  | { kind: 'more'; count: number }

/** One end of a flow: a party with an amount of one asset, in one or more UTXOs. */
export type FlowEnd = {
  key: string
  party: FlowParty
  asset: Asset
  amount: bigint
  utxoCount: number
  /** Its properties: staked, locked, from or to another chain. */
  tags: readonly string[]
}

/** Both sides of a transaction, with the same sum of every asset. */
export type Flow = { inputs: FlowEnd[]; outputs: FlowEnd[]; assets: Asset[] }

const isAhead = (locktime: number | bigint | undefined, now: number): boolean =>
  locktime !== undefined && BigInt(locktime) > BigInt(now)

function tagsOf(utxo: Utxo, side: 'in' | 'out', chain: string, at: number): string[] {
  const other = side === 'in' ? utxo.createdOnChainId : utxo.consumedOnChainId
  const alias = chainAlias(other)
  const crosses = alias !== undefined && alias !== chain
  return [
    ...(crosses ? [`${side === 'in' ? 'from' : 'to'} ${chainLabel(alias)}`] : []),
    ...(utxo.rewardType === undefined ? [] : ['reward']),
    ...(utxo.staked === true || utxo.utxoType === 'STAKE' ? ['staked'] : []),
    ...(isAhead(utxo.stakeableLocktime, at) ? ['stakeable lock'] : []),
    ...(isAhead(utxo.platformLocktime ?? utxo.locktime, at) ? ['locked'] : []),
    ...(utxo.asset.type === 'nft' ? ['NFT'] : []),
    // No output moves nothing, but for those that carry a right over their asset.
    ...(utxo.asset.amount === '0' ? ['right to mint'] : []),
  ]
}

function merge(ends: readonly FlowEnd[]): FlowEnd[] {
  const merged = new Map<string, FlowEnd>()
  for (const end of ends) {
    const known = merged.get(end.key)
    merged.set(
      end.key,
      known
        ? { ...known, amount: known.amount + end.amount, utxoCount: known.utxoCount + end.utxoCount }
        : end,
    )
  }
  return [...merged.values()]
}

const keyOf = (owners: string, assetId: string, tags: readonly string[]): string =>
  [owners, assetId, ...tags].join('/')

function utxoEnd(utxo: Utxo, side: 'in' | 'out', chain: string, at: number): FlowEnd {
  const tags = tagsOf(utxo, side, chain, at)
  const threshold = utxo.threshold ?? 1
  return {
    key: keyOf(`${utxo.addresses.join('+')}:${threshold}`, utxo.asset.assetId, tags),
    party: { kind: 'owners', addresses: utxo.addresses, threshold },
    asset: utxo.asset,
    amount: BigInt(utxo.asset.amount),
    utxoCount: 1,
    tags,
  }
}

function evmEnd(address: string, asset: Asset): FlowEnd {
  return {
    key: keyOf(address, asset.assetId, []),
    party: { kind: 'owners', addresses: [address], threshold: 1 },
    asset,
    amount: BigInt(asset.amount),
    utxoCount: 0,
    tags: [],
  }
}

const sums = (ends: readonly FlowEnd[]): Map<string, { asset: Asset; sum: bigint }> => {
  const all = new Map<string, { asset: Asset; sum: bigint }>()
  for (const { asset, amount } of ends) {
    const sum = (all.get(asset.assetId)?.sum ?? 0n) + amount
    all.set(asset.assetId, { asset, sum })
  }
  return all
}

const odd = (kind: 'burned' | 'l1Balance' | 'issued', asset: Asset, amount: bigint): FlowEnd => ({
  key: keyOf(kind, asset.assetId, []),
  party: { kind },
  asset,
  amount,
  utxoCount: 0,
  tags: [],
})

/**
 * What a transaction moved, from its inputs to its outputs. UTXOs of the same owners, asset and kind are one
 * end. What went in and did not come out is burned, or the balance of L1 validators; what came out and did
 * not go in is new. Sorted by asset, the largest amount first.
 */
export function flowOf(tx: PrimaryTransaction, chain: string): Flow {
  const at = tx.blockTimestamp ?? tx.timestamp ?? 0
  const inputs = merge([
    ...(tx.consumedUtxos ?? []).map((utxo) => utxoEnd(utxo, 'in', chain, at)),
    ...(tx.evmInputs ?? []).map(({ fromAddress, asset }) => evmEnd(fromAddress, asset)),
  ])
  const outputs = merge([
    ...(tx.emittedUtxos ?? []).map((utxo) => utxoEnd(utxo, 'out', chain, at)),
    ...(tx.evmOutputs ?? []).map(({ toAddress, asset }) => evmEnd(toAddress, asset)),
  ])
  const before = sums(inputs)
  const after = sums(outputs)
  const l1 = new Map<string, bigint>()
  for (const { assetId, amount } of tx.amountL1ValidatorBalanceBurned ?? [])
    l1.set(assetId, (l1.get(assetId) ?? 0n) + BigInt(amount))
  for (const [assetId, { asset }] of new Map([...after, ...before])) {
    const left = (before.get(assetId)?.sum ?? 0n) - (after.get(assetId)?.sum ?? 0n)
    const kept = l1.get(assetId) ?? 0n
    const toL1 = kept < left ? kept : left
    if (left < 0n) inputs.push(odd('issued', asset, -left))
    if (toL1 > 0n) outputs.push(odd('l1Balance', asset, toL1))
    if (left > 0n && left > toL1) outputs.push(odd('burned', asset, left - toL1))
  }
  const assets = [...sums([...inputs, ...outputs]).values()].map(({ asset }) => asset)
  const place = new Map(assets.map(({ assetId }, index) => [assetId, index]))
  const order = (a: FlowEnd, b: FlowEnd): number =>
    (place.get(a.asset.assetId) ?? 0) - (place.get(b.asset.assetId) ?? 0) ||
    (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0)
  return { inputs: inputs.toSorted(order), outputs: outputs.toSorted(order), assets }
}

/** At most `max` ends: further ones are folded into one for each asset, except burned and issued amounts. */
export function foldEnds(ends: readonly FlowEnd[], max: number): FlowEnd[] {
  if (ends.length <= max) return [...ends]
  const special = ends.filter((end) => end.party.kind !== 'owners')
  const owned = ends.filter((end) => end.party.kind === 'owners')
  const kept = owned.slice(0, Math.max(1, max - 1 - special.length))
  const folded = new Map<string, FlowEnd>()
  for (const end of owned.slice(kept.length)) {
    const { assetId } = end.asset
    const known = folded.get(assetId)
    folded.set(assetId, {
      key: keyOf('more', assetId, []),
      party: { kind: 'more', count: (known?.party.kind === 'more' ? known.party.count : 0) + 1 },
      asset: end.asset,
      amount: (known?.amount ?? 0n) + end.amount,
      utxoCount: (known?.utxoCount ?? 0) + end.utxoCount,
      tags: [],
    })
  }
  return [...kept, ...folded.values(), ...special]
}

/** A ribbon from an end to the bar in the middle: an SVG path over a width of 100, and its asset's index. */
type Ribbon = { key: string; path: string; asset: number }

const widest = 36
const thinnest = 1.5
const number = (value: number): string => String(Math.round(value * 100) / 100)

/** A share of a sum of any size as a number from 0 to 1. */
const shareOf = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000

/**
 * The ribbons of one side with ends of `rowHeight`. At the bar, `bar` high and centred in `height`, all assets have
 * the same height and every end has its share of that.
 */
export function ribbonsOf(
  ends: readonly FlowEnd[],
  assets: readonly Asset[],
  layout: { rowHeight: number; height: number; bar: number; side: 'left' | 'right' },
): Ribbon[] {
  const { rowHeight, height, bar, side } = layout
  const room = bar / Math.max(1, assets.length)
  const top = (height - bar) / 2
  const first = (height - ends.length * rowHeight) / 2
  const whole = sums(ends)
  const filled = assets.map((_, index) => top + index * room)
  return ends.map((end, row) => {
    const asset = assets.findIndex(({ assetId }) => assetId === end.asset.assetId)
    const size = shareOf(end.amount, whole.get(end.asset.assetId)?.sum ?? 0n) * room
    const from = filled[asset] ?? top
    filled[asset] = from + size
    const outer = first + row * rowHeight + rowHeight / 2
    const half = Math.max(thinnest, Math.min(widest, size)) / 2
    const [y0, y1] = [from, Math.max(from + thinnest, from + size)]
    const [x0, x1] = side === 'left' ? [0, 100] : [100, 0]
    return {
      key: end.key,
      asset,
      path:
        `M${x0} ${number(outer - half)}C50 ${number(outer - half)} 50 ${number(y0)} ${x1} ${number(y0)}` +
        `V${number(y1)}C50 ${number(y1)} 50 ${number(outer + half)} ${x0} ${number(outer + half)}Z`,
    }
  })
}
