import type { Ledger, LedgerUtxo, Staker } from '../../primary/ledger.ts'
import { type LocalChain, parseAddress } from './addresses.ts'
import { encodingArg, flagArg, textsArg, zeroId } from '../rpc/args.ts'
import type { Params } from '../rpc/json2.ts'
import { ServiceError } from '../rpc/service-errors.ts'
import type { Json } from '../rpc/go-json.ts'
import { encode as encodeValue } from '../../../protocol/codec/schema.ts'
import { type AssetOutput, pAssetOutput, type TransferOutput } from '../../../protocol/primary/outputs.ts'
import { decodePTx } from '../../../protocol/primary/p-transactions.ts'
import { hexOf } from '../../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { encode } from '../rpc/encodings.ts'

const maxStakeAddresses = 256

type Sums = Map<string, bigint>

function add(sums: Sums, assetId: string, amount: bigint): void {
  sums.set(assetId, (sums.get(assetId) ?? 0n) + amount)
}

function sumsJson(sums: Sums): Json {
  return Object.fromEntries([...sums].map(([assetId, amount]) => [cb58(assetId), String(amount)]))
}

/** All UTXOs of several addresses, each once. */
export function allUtxos(
  ledger: Ledger,
  chain: 'P' | 'X',
  addresses: readonly string[],
): readonly LedgerUtxo[] {
  const found = new Map<string, LedgerUtxo>()
  for (const address of [...new Set(addresses)].toSorted()) {
    for (const utxo of ledger.utxos({ chain }, address)) found.set(utxo.id, utxo)
  }
  return [...found.values()]
}

/** What locks an amount: nothing, its owners' locktime, or a lock under which it may only be staked. */
function heldBy({ output }: LedgerUtxo, now: bigint): { amount: bigint; kind: keyof Kinds } | undefined {
  if (output.type !== 'TRANSFER') return undefined
  const { amount, owner, stakeableLocktime } = output
  if (owner.locktime > now) return { amount, kind: 'lockedNotStakeable' }
  return { amount, kind: stakeableLocktime <= now ? 'unlocked' : 'lockedStakeable' }
}

type Kinds = {
  readonly unlocked: Sums
  readonly lockedStakeable: Sums
  readonly lockedNotStakeable: Sums
}

/** platform.getBalance at the P-Chain's time: the sample's clock differs from the machine's. */
export function pBalance(ledger: Ledger, chain: LocalChain, texts: readonly string[]): Json {
  const addresses = texts.map((text) => parseAddress(chain, text))
  const kinds: Kinds = { unlocked: new Map(), lockedStakeable: new Map(), lockedNotStakeable: new Map() }
  const all: Sums = new Map()
  const utxos: Json[] = []
  for (const utxo of allUtxos(ledger, 'P', addresses)) {
    const held = heldBy(utxo, BigInt(ledger.chainTime()))
    if (held === undefined) continue
    add(kinds[held.kind], utxo.assetId, held.amount)
    add(all, utxo.assetId, held.amount)
    utxos.push({ txID: cb58(utxo.txId), outputIndex: utxo.outputIndex })
  }
  const ofAvax = (sums: Sums): string => String(sums.get(ledger.ids.avax) ?? 0n)
  return {
    balance: ofAvax(all),
    unlocked: ofAvax(kinds.unlocked),
    lockedStakeable: ofAvax(kinds.lockedStakeable),
    lockedNotStakeable: ofAvax(kinds.lockedNotStakeable),
    balances: sumsJson(all),
    unlockeds: sumsJson(kinds.unlocked),
    lockedStakeables: sumsJson(kinds.lockedStakeable),
    lockedNotStakeables: sumsJson(kinds.lockedNotStakeable),
    utxoIDs: utxos.length === 0 ? null : utxos,
  }
}

/** The outputs that a transaction stakes, with its codec version. Throws `CodecError`. */
export function stakeIn(bytes: Uint8Array): readonly AssetOutput<TransferOutput>[] {
  const { unsigned } = decodePTx(bytes.subarray(2))
  return 'stake' in unsigned ? unsigned.stake : []
}

/** platform.getStake: the outputs that addresses stake, current and pending, in all networks. */
export function stakeOf(ledger: Ledger, chain: LocalChain, params: Params): Json {
  const texts = textsArg(params, 'addresses')
  const isValidatorsOnly = flagArg(params, 'validatorsOnly')
  const encoding = encodingArg(params)
  if (texts.length > maxStakeAddresses) {
    throw new ServiceError(
      `${texts.length} addresses provided but this method can take at most ${maxStakeAddresses}`,
    )
  }
  const owners = new Set(texts.map((text) => parseAddress(chain, text)))
  const networks = [zeroId, ...ledger.subnets().map(({ id }) => id)]
  const stakers: Staker[] = [
    ...networks.flatMap((id) => ledger.currentStakers(id)),
    ...networks.flatMap((id) => ledger.pendingStakers(id)),
  ]
  const sums: Sums = new Map()
  const outputs: string[] = []
  for (const { txId, kind } of stakers) {
    const tx = isValidatorsOnly && kind === 'delegator' ? undefined : ledger.tx('P', txId)
    for (const staked of tx === undefined ? [] : stakeIn(tx.bytes)) {
      const { amount, owner } = staked.output
      if (!owner.addresses.some((address) => owners.has(hexOf(address)))) continue
      add(sums, hexOf(staked.assetId), amount)
      outputs.push(encode(encoding, encodeValue(pAssetOutput, staked)))
    }
  }
  return {
    staked: String(sums.get(ledger.ids.avax) ?? 0n),
    stakeds: sumsJson(sums),
    stakedOutputs: outputs,
    encoding,
  }
}
