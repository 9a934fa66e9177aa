import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { decides } from '../../../protocol/primary/p-blocks.ts'
import { utxos as utxoCodecs } from '../../../protocol/primary/outputs.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { encodeWrapper, unsignedWrapper } from '../../../protocol/primary/proposer.ts'
import { Writer } from '../../../protocol/codec/writer.ts'
import { randomOf } from '../../kernel/random.ts'
import { genesisOf } from '../founding.ts'
import type {
  Container,
  ContainerKind,
  FeeState,
  L1Validator,
  Ledger,
  LedgerUtxo,
  SetMember,
  Staker,
  UtxoView,
} from '../ledger.ts'
import { fujiL1Fees, gasFees, priceAt } from '../../../protocol/primary/l1-fees.ts'
import { byEnd, validatorOf } from '../stakers.ts'
import {
  type L1State,
  type SetChange,
  space,
  type Space,
  type StakerState,
  type State,
  type Utxo,
  zeroId,
} from '../state.ts'
import { sha256 } from '../../../protocol/native/hashes.ts'
import { shareOnline } from '../uptime.ts'
import type { World } from '../world.ts'
import { wrapperOf } from './wrappers.ts'

/** The read methods of the ledger; the host adds `issue` and `onBlock`. */
type Reader = Omit<Ledger, 'issue' | 'onBlock'>

function spaceOf({ chain, source }: UtxoView): Space {
  return source === undefined || source === chain ? chain : `${chain}<${source}`
}

function withBytes(chain: UtxoView['chain'], utxo: Utxo): LedgerUtxo {
  return { ...utxo, bytes: encode(utxoCodecs[chain], utxo) }
}

/** The bytes that a proposer signs: chain, parent and the hash of the unsigned wrapper. */
function headerOf(chainId: BareHex, parent: BareHex, body: Uint8Array): Uint8Array {
  const to = new Writer()
  to.u16(0)
  to.raw(chainId)
  to.raw(parent)
  to.raw(sha256(body))
  return to.done()
}

/** Creates the read methods that `Ledger` describes. */
export function createReader(world: World, state: State): Reader {
  const { ids, ages } = world
  const genesisBytes = genesisOf(world).bytes
  const stop = (): BareHex => state.blocks.X[0]?.parentId ?? zeroId
  const wrapperIndex = { P: new Map<BareHex, number>(), X: new Map<BareHex, number>() }
  const signatures = new Map<BareHex, Uint8Array>()
  const vertexIndex = new Map<BareHex, number>()
  const txIndex = new Map<BareHex, number>()

  function stakers(all: ReadonlyMap<BareHex, StakerState>, subnetId: BareHex): Staker[] {
    return [...all.values()]
      .filter((staker) => staker.subnetId === subnetId)
      .sort(byEnd)
      .map(({ isPermissioned: _isPermissioned, ...staker }) => ({ ...staker }))
  }

  function l1Of(validator: L1State): L1Validator {
    const { endFee, ...rest } = validator
    return { ...rest, balance: endFee > state.accruedFees ? endFee - state.accruedFees : 0n }
  }

  /**
   * Nodes that are always online: without one of them, a subnet or the primary network could miss its quorum.
   */
  function staysUp(nodeId: BareHex): boolean {
    for (const validator of state.l1.values()) if (validator.nodeId === nodeId) return true
    let own = 0n
    let all = 0n
    for (const staker of state.current.values()) {
      if (staker.subnetId === zeroId) {
        all += staker.weight
        if (staker.nodeId === nodeId) own += staker.weight
      } else if (staker.nodeId === nodeId) return true
    }
    return own * 100n > all * lightPercent
  }

  function blockContainer(chain: 'P' | 'X', index: number): Container | undefined {
    const stored = state.wrappers[chain][index]
    const block = state.blocks[chain][index + 1]
    if (stored === undefined || block === undefined) return undefined
    const { id, time } = stored
    const isOption = chain === 'P' && decides(block.bytes)
    const made = wrapperOf(world, state, stored, block.bytes, isOption)
    if (made === undefined) return { index, id, time, bytes: block.bytes }
    const node = world.nodes[stored.node]
    if (made.type === 'OPTION' || node === undefined) return { index, id, time, bytes: encodeWrapper(made) }
    const header = headerOf(ids[chain], stored.parent, unsignedWrapper(made))
    // Signing is the slowest step, so it is done once, on first use.
    const signature = signatures.get(id) ?? node.certificate.sign(header)
    signatures.set(id, signature)
    return { index, id, time, bytes: encodeWrapper({ ...made, signature }) }
  }

  function container(kind: ContainerKind, index: number): Container | undefined {
    if (kind === 'P/block' || kind === 'X/block') return blockContainer(kind === 'P/block' ? 'P' : 'X', index)
    if (kind === 'X/vtx') {
      const vertex = state.vertices[index]
      if (vertex === undefined) return undefined
      const { id, bytes, time } = vertex
      return { index, id, bytes, time }
    }
    const found = state.xTxs[index]
    const tx = state.txs.get(found?.id ?? '')
    return tx === undefined ? undefined : { index, id: tx.id, bytes: tx.bytes, time: tx.time }
  }

  /** The position of an id in a growing list; the index grows with the list. */
  function lookUp(
    index: Map<BareHex, number>,
    list: readonly { readonly id: BareHex }[],
    id: BareHex,
  ): number | undefined {
    for (let place = index.size; place < list.length; place += 1) index.set(list[place]?.id ?? '', place)
    return index.get(id)
  }

  function placeOf(kind: ContainerKind, id: BareHex): number | undefined {
    if (kind === 'X/vtx') return lookUp(vertexIndex, state.vertices, id)
    if (kind === 'X/tx') return lookUp(txIndex, state.xTxs, id)
    const chain = kind === 'P/block' ? 'P' : 'X'
    return lookUp(wrapperIndex[chain], state.wrappers[chain], id)
  }

  function feeState(capacity: bigint, excess: bigint, price: bigint): FeeState {
    return { capacity, excess, price, time: state.time }
  }

  return {
    networkId: 5,
    ids,
    get upgrades() {
      const { apricotPhase4, banff, cortina, durango, etna, granite, helicon } = ages
      return { apricotPhase4, banff, cortina, durango, etna, granite, helicon, stopVertexId: stop() }
    },
    genesisBytes,
    height: (chain) => (chain === 'C' ? state.cHeight : state.blocks[chain].length - 1),
    block(chain, at) {
      const height = typeof at === 'number' ? at : state.heights[chain].get(at)
      return height === undefined ? undefined : state.blocks[chain][height]
    },
    chainTime: () => state.time,
    tx(chain, id) {
      const found = state.txs.get(id)
      return found?.chain === chain ? found : undefined
    },
    utxos(view, address) {
      const name = spaceOf(view)
      const utxos = space(state, name)
      return [...(state.owned.get(`${name}/${address}`) ?? [])]
        .sort()
        .map((id) => utxos.get(id))
        .filter((utxo) => utxo !== undefined)
        .map((utxo) => withBytes(view.chain, utxo))
    },
    utxo(view, id) {
      const found = space(state, spaceOf(view)).get(id)
      return found === undefined ? undefined : withBytes(view.chain, found)
    },
    rewardUtxos: (txId) => (state.rewards.get(txId) ?? []).map((utxo) => withBytes('P', utxo)),
    currentStakers: (subnetId) => stakers(state.current, subnetId),
    pendingStakers: (subnetId) => stakers(state.pending, subnetId),
    uptime(nodeId) {
      const start = validatorOf(state.current, zeroId, nodeId)?.start ?? world.ages.start
      const share = shareOnline(world, nodeId, start)
      // A node is offline for some minutes at times; nodes with a low uptime more often.
      const slot = Math.floor(state.time / 600)
      const isUp = randomOf(world.seed, 'connected', nodeId, slot).chance(share)
      return { isConnected: isUp || staysUp(nodeId), share }
    },
    l1Validator(validationId) {
      const found = state.l1.get(validationId)
      return found === undefined ? undefined : l1Of(found)
    },
    l1Validators: (subnetId) =>
      [...state.l1.values()].filter((validator) => validator.subnetId === subnetId).map(l1Of),
    validatorsAt(height, subnetId) {
      if (height >= state.blocks.P.length) return undefined
      return setAt(state.sets.get(subnetId) ?? [], height)
    },
    subnets: () => [...state.subnets.values()],
    subnet: (id) => state.subnets.get(id),
    blockchains: () => state.chains,
    supply: (subnetId) => state.supply.get(subnetId),
    stakingAsset: (subnetId) => (subnetId === zeroId ? ids.avax : state.subnets.get(subnetId)?.asset),
    totalStake(subnetId) {
      let sum = 0n
      for (const staker of state.current.values()) if (staker.subnetId === subnetId) sum += staker.weight
      for (const validator of state.l1.values()) if (validator.subnetId === subnetId) sum += validator.weight
      return sum
    },
    feeState: () => feeState(state.gas.capacity, state.gas.excess, priceAt(gasFees, state.gas.excess)),
    validatorFeeState: () =>
      feeState(fujiL1Fees.capacity, state.l1Excess, priceAt(fujiL1Fees, state.l1Excess)),
    asset: (id) => state.assets.get(id),
    vertex(id) {
      const place = lookUp(vertexIndex, state.vertices, id)
      return place === undefined ? undefined : state.vertices[place]
    },
    containers(kind) {
      if (kind === 'X/vtx') return state.vertices.length
      if (kind === 'X/tx') return state.xTxs.length
      return state.wrappers[kind === 'P/block' ? 'P' : 'X'].length
    },
    container,
    containerOf(kind, id) {
      const place = placeOf(kind, id)
      return place === undefined ? undefined : container(kind, place)
    },
    extraData: (height) => state.extra.get(height),
  }
}

/** A share of the primary network's weight that may be missing at any time. */
const lightPercent = 3n

/**
 * The set at a height according to a subnet's log of weights. Inactive L1 validators are combined, without a
 * key.
 */
function setAt(log: readonly SetChange[], height: number): readonly SetMember[] {
  const latest = new Map<BareHex, SetChange>()
  for (const change of log) {
    if (change.height > height) break
    latest.set(change.key, change)
  }
  const members = new Map<BareHex, SetMember>()
  for (const { nodeId = nobody, weight, publicKey } of latest.values()) {
    if (weight === 0n) continue
    const known = members.get(nodeId)
    members.set(nodeId, { nodeId, weight: (known?.weight ?? 0n) + weight, publicKey })
  }
  return [...members.values()].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1))
}

const nobody = '0'.repeat(40)
