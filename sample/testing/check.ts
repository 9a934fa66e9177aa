import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { decodePGenesis } from '../../protocol/primary/genesis.ts'
import { atomicTx } from '../../protocol/primary/atomic.ts'
import {
  type Output,
  type PTx,
  type XTx,
  type CTx,
  readX,
  readExtraData,
  txsOfBlock,
  type AssetInput,
  outputsOf,
} from '../primary/transactions.ts'
import { encode } from '../../protocol/codec/schema.ts'
import { pTx } from '../../protocol/primary/p-transactions.ts'
import { xTx } from '../../protocol/primary/x-transactions.ts'
import type { ChainName, Ledger } from '../primary/ledger.ts'
import { checkStakers } from './check-stakers.ts'
import { sha256Hex } from '../../protocol/native/hashes.ts'
import { hexed } from '../primary/hexed.ts'

/** An output according to the recount. */
type Coin = {
  readonly asset: BareHex
  readonly amount: bigint
  readonly owners: readonly BareHex[]
  readonly from: ChainName
  readonly time: number
}

/** The figures of the recount, so that callers can check that something was counted. */
type CheckResult = {
  readonly problems: readonly string[]
  readonly transactions: number
  readonly coins: number
  readonly inFlight: number
  readonly burned: bigint
}

const outpoint = (txId: BareHex, index: number): string => `${txId}/${index}`

function coinOf(asset: BareHex, output: Output, from: ChainName, time: number): Coin {
  const amount = output.type === 'TRANSFER' ? output.amount : 0n
  return { asset, amount, owners: output.owner.addresses, from, time }
}

/**
 * Recounts the ledger from its bytes alone, block by block, and compares: every input must exist at its height, no
 * transaction may produce more than it consumes, every import must have been exported by another chain, and what
 * remains must equal the ledger's UTXOs. Stakers, sets and supply are recounted in check-stakers.ts.
 */
export function checkLedger(ledger: Ledger): CheckResult {
  const problems: string[] = []
  const { avax } = ledger.ids
  const names = new Map<BareHex, ChainName>([
    [ledger.ids.P, 'P'],
    [ledger.ids.X, 'X'],
    [ledger.ids.C, 'C'],
  ])
  const own = { P: new Map<string, Coin>(), X: new Map<string, Coin>(), C: new Map<string, Coin>() }
  /** Exported outputs by destination chain. */
  const sent = { P: new Map<string, Coin>(), X: new Map<string, Coin>(), C: new Map<string, Coin>() }
  const fetched: { readonly chain: ChainName; readonly key: string; readonly time: number }[] = []
  const accounts = new Map<BareHex, bigint>()
  let burned = 0n
  let transactions = 0
  let registered = 0n
  let returned = 0n
  let rewarded = 0n

  function say(problem: string): void {
    if (problems.length < 50) problems.push(problem)
  }

  function spend(chain: 'P' | 'X', key: string, where: string): Coin | undefined {
    const coin = own[chain].get(key)
    if (coin === undefined) say(`${where} spends ${key}, which ${chain} does not have`)
    own[chain].delete(key)
    return coin
  }

  function put(chain: ChainName, key: string, coin: Coin): void {
    const coins = coin.from === chain ? own[chain] : sent[chain]
    if (coins.has(key)) say(`${key} comes to be twice on ${chain}`)
    coins.set(key, coin)
  }

  /** Inputs and outputs of a transaction: surplus AVAX is burned, and nothing may come from nowhere. */
  class Flow {
    readonly #sums = new Map<BareHex, bigint>()

    add(asset: BareHex, amount: bigint): void {
      this.#sums.set(asset, (this.#sums.get(asset) ?? 0n) + amount)
    }

    close(where: string): void {
      for (const [asset, sum] of this.#sums) {
        if (sum < 0n) say(`${where} puts out more of ${asset} than it takes in`)
      }
      burned += this.#sums.get(avax) ?? 0n
    }
  }

  function fetchAll(chain: ChainName, inputs: readonly AssetInput[], flow: Flow, time: number): void {
    for (const { txId, outputIndex, assetId, amount } of inputs) {
      fetched.push({ chain, key: outpoint(txId, outputIndex), time })
      flow.add(assetId, amount)
    }
  }

  function based(
    chain: 'P' | 'X',
    id: BareHex,
    unsigned: Extract<PTx['unsigned'] | XTx['unsigned'], { readonly base: unknown }>,
    time: number,
    flow: Flow,
  ): number {
    for (const each of unsigned.base.inputs) {
      const coin = spend(chain, outpoint(each.txId, each.outputIndex), id)
      if (coin !== undefined && coin.amount !== each.amount) say(`${id} claims another amount`)
      flow.add(each.assetId, coin?.amount ?? 0n)
    }
    if ('importedInputs' in unsigned) fetchAll(chain, unsigned.importedInputs, flow, time)
    let index = 0
    const out = (asset: BareHex, output: Output, to: ChainName): void => {
      put(to, outpoint(id, index), coinOf(asset, output, chain, time))
      flow.add(asset, -coinOf(asset, output, chain, time).amount)
      index += 1
    }
    for (const { assetId, output } of unsigned.base.outputs) out(assetId, output, chain)
    if ('exportedOutputs' in unsigned) {
      const to = names.get(unsigned.destinationChain)
      if (to === undefined) say(`${id} sends to a chain that is none`)
      for (const { assetId, output } of unsigned.exportedOutputs) out(assetId, output, to ?? chain)
    }
    return index
  }

  function checkX(tx: XTx, time: number): void {
    transactions += 1
    const id = sha256Hex(encode(xTx, tx))
    const flow = new Flow()
    const { unsigned } = tx
    let index = based('X', id, unsigned, time, flow)
    const add = (asset: BareHex, output: Output): void => {
      put('X', outpoint(id, index), coinOf(asset, output, 'X', time))
      index += 1
    }
    if (unsigned.type === 'CreateAssetTx') {
      for (const { outputs } of unsigned.states) for (const output of outputs) add(id, output)
    }
    if (unsigned.type === 'OperationTx') {
      for (const { assetId, references, operation } of unsigned.operations) {
        for (const each of references) spend('X', outpoint(each.txId, each.outputIndex), id)
        for (const output of outputsOf(operation)) add(assetId, output)
      }
    }
    flow.close(id)
  }

  function checkC(tx: CTx, id: BareHex, time: number): void {
    transactions += 1
    const flow = new Flow()
    const { unsigned } = tx
    if (unsigned.type === 'ImportTx') {
      fetchAll('C', unsigned.importedInputs, flow, time)
      for (const { address, amount, assetId } of unsigned.evmOutputs) {
        flow.add(assetId, -amount)
        accounts.set(address, (accounts.get(address) ?? 0n) + amount)
      }
    } else {
      for (const { address, amount, assetId } of unsigned.evmInputs) {
        const left = (accounts.get(address) ?? 0n) - amount
        if (left < 0n) say(`${id} takes more from ${address} than it has`)
        accounts.set(address, left)
        flow.add(assetId, amount)
      }
      unsigned.exportedOutputs.forEach(({ assetId, output }, index) => {
        const to = names.get(unsigned.destinationChain) ?? 'P'
        put(to, outpoint(id, index), coinOf(assetId, output, 'C', time))
        flow.add(assetId, -output.amount)
      })
    }
    flow.close(id)
  }

  function checkP(tx: PTx, time: number): void {
    const { unsigned } = tx
    transactions += 1
    if (!('base' in unsigned)) return
    const id = sha256Hex(encode(pTx, tx))
    const flow = new Flow()
    const index = based('P', id, unsigned, time, flow)
    if ('stake' in unsigned) {
      const stake = unsigned.stake.reduce((sum, { assetId, output }) => {
        const { amount } = coinOf(assetId, output, 'P', time)
        flow.add(assetId, -amount)
        return sum + amount
      }, 0n)
      if ('terms' in unsigned && stake !== unsigned.terms.weight) {
        say(`${id} stakes ${stake}, not its weight ${unsigned.terms.weight}`)
      }
    }
    if ('balance' in unsigned) registered += unsigned.balance
    if (unsigned.type === 'ConvertSubnetToL1Tx') {
      for (const { balance } of unsigned.validators) registered += balance
    }
    flow.close(id)
    // The remaining balance of an L1 validator is returned after the transaction's own outputs.
    const isBack = unsigned.type === 'DisableL1ValidatorTx' || unsigned.type === 'SetL1ValidatorWeightTx'
    const back = isBack ? balancesBack.get(outpoint(id, index)) : undefined
    if (back === undefined) return
    put('P', outpoint(id, index), back)
    returned += back.amount
    burned -= back.amount
  }

  // The recount of stakers returns the coins that come back, and checks supply and sets.
  const genesis = decodePGenesis(ledger.genesisBytes)
  const { balancesBack, returns } = checkStakers(ledger, genesis, say)
  for (const { utxo } of genesis.utxos) {
    const { txId, outputIndex, assetId, output } = hexed(utxo)
    put('P', outpoint(txId, outputIndex), coinOf(assetId, output, 'P', genesis.time))
  }
  for (let height = 1; height <= ledger.height('P'); height += 1) {
    const block = ledger.block('P', height)
    if (block === undefined) {
      say(`P has no block ${height}`)
      continue
    }
    if (block.parentId !== ledger.block('P', height - 1)?.id) say(`P block ${height} has another parent`)
    if (sha256Hex(block.bytes) !== block.id) say(`P block ${height} has another id`)
    for (const tx of txsOfBlock(block.bytes)) checkP(tx, block.time)
    for (const { key, asset, output, isReward } of returns.get(height) ?? []) {
      const coin = coinOf(asset, output, 'P', block.time)
      put('P', key, coin)
      if (isReward && asset === avax) rewarded += coin.amount
    }
  }

  const avaxTx = ledger.tx('X', avax)
  if (avaxTx !== undefined) checkX(readX(avaxTx.bytes), avaxTx.time)
  for (let index = 0; index < ledger.containers('X/tx'); index += 1) {
    const container = ledger.container('X/tx', index)
    if (container !== undefined) checkX(readX(container.bytes), container.time)
  }
  for (let height = 1; height <= ledger.height('X'); height += 1) {
    const block = ledger.block('X', height)
    for (const id of block?.txIds ?? []) {
      const tx = ledger.tx('X', id)
      if (tx !== undefined) checkX(readX(tx.bytes), tx.time)
    }
  }
  for (let height = 1; height <= ledger.height('C'); height += 1) {
    const bytes = ledger.extraData(height)
    if (bytes === undefined) continue
    for (const tx of readExtraData(bytes)) {
      const id = sha256Hex(encode(atomicTx, tx))
      checkC(tx, id, ledger.tx('C', id)?.time ?? 0)
    }
  }

  for (const { chain, key, time } of fetched) {
    const coin = sent[chain].get(key)
    if (coin === undefined) say(`${chain} fetches ${key}, which nobody sent or which was fetched before`)
    else if (coin.time > time) say(`${chain} fetches ${key} before it was sent`)
    sent[chain].delete(key)
  }
  compareCoins()
  return {
    problems,
    transactions,
    coins: own.P.size + own.X.size,
    inFlight: sent.P.size + sent.X.size + sent.C.size,
    burned,
  }

  function compareCoins(): void {
    let left = 0n
    for (const chain of ['P', 'X', 'C'] as const) {
      const owners = new Map<BareHex, Set<string>>()
      for (const [key, coin] of [...own[chain], ...sent[chain]]) {
        if (coin.asset === avax) left += coin.amount
        for (const owner of coin.owners) {
          const keys = owners.get(owner) ?? new Set()
          keys.add(`${coin.from === chain ? chain : coin.from}/${key}/${coin.amount}`)
          owners.set(owner, keys)
        }
      }
      for (const [owner, keys] of owners) {
        const told = (['P', 'X', 'C'] as const).flatMap((source) =>
          ledger.utxos(source === chain ? { chain } : { chain, source }, owner).map((utxo) => {
            const { amount } = coinOf(utxo.assetId, utxo.output, source, 0)
            return `${source}/${outpoint(utxo.txId, utxo.outputIndex)}/${amount}`
          }),
        )
        const same = told.length === keys.size && told.every((key) => keys.has(key))
        if (!same) say(`${owner} has ${told.length} coins on ${chain}, not ${keys.size}`)
      }
    }
    for (const balance of accounts.values()) left += balance
    const staked = ledger
      .currentStakers(ledger.ids.P)
      .concat(ledger.pendingStakers(ledger.ids.P))
      // Restaked rewards were minted without being paid out.
      .reduce((sum, { weight, renewal }) => {
        return sum + weight - (renewal?.restaked ?? 0n) - (renewal?.restakedDelegatee ?? 0n)
      }, 0n)
    const minted = genesis.supply + rewarded
    if (left + staked + burned !== minted) {
      say(
        `${left} in coins, ${staked} staked and ${burned} burned are not the ${minted} that there have been`,
      )
    }
    if (registered < returned) say('L1 validators got back more than they paid in')
  }
}
