import { FatalError } from '../../kernel/errors.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import type { RowSink } from './batch/batch.ts'
import type { Output } from '../../../protocol/primary/outputs.ts'
import { operationOutputs, type XTx, type XUnsigned } from '../../../protocol/primary/x-transactions.ts'
import { Flow } from './batch/flow.ts'
import type { Place } from './batch/model.ts'
import { keyOf } from './batch/rows.ts'
import { recoverImportedUtxo, type Strays } from './batch/utxos.ts'

/** Constants of the X-Chain. */
export type XRules = {
  readonly chain: number
  readonly pChain: number
  readonly cChain: number
  readonly xId: Uint8Array
  /** The id of the C-Chain, as a key. */
  readonly cId: string
  readonly avaxAsset: Uint8Array
  /** Ids, as keys, of the network's other indexed chains. */
  readonly followed: ReadonlySet<string>
}

export type XEffects = { readonly rules: XRules; readonly batch: RowSink; readonly strays: Strays }

/** Adds the rows of an accepted transaction. */
export function applyXTx({ rules, batch, strays }: XEffects, tx: XTx, place: Place): void {
  const { unsigned } = tx
  const { chain } = rules
  if (unsigned.type === 'UNKNOWN') {
    throw new FatalError(
      `transaction ${keyOf(tx.id)} has the type ${tx.typeId}, whose effects this version does not know: use a newer one`,
    )
  }
  const record = batch.record(place, tx.typeId)
  const flow = new Flow({ chain, batch, txId: tx.id, place, record })
  flow.spend(unsigned.base.inputs)
  flow.make(unsigned.base.outputs)
  switch (unsigned.type) {
    case 'BaseTx':
      break
    case 'CreateAssetTx':
      for (const { outputs } of unsigned.states) {
        flow.make(outputs.map((output) => ({ assetId: tx.id, output })))
      }
      addAsset(batch, chain, tx.id, unsigned, place)
      break
    case 'OperationTx':
      for (const { assetId, references, operation } of unsigned.operations) {
        flow.spendReferences(references)
        flow.make(operationOutputs(operation).map((output) => ({ assetId, output })))
      }
      break
    case 'ImportTx': {
      const source = homeOf(rules, unsigned.sourceChain) ?? chain
      if (source === chain) batch.odd(place, 'otherChain', `it imports from ${cb58(unsigned.sourceChain)}`)
      const isFollowed = source !== chain && rules.followed.has(keyOf(unsigned.sourceChain))
      flow.spend(
        unsigned.importedInputs,
        isFollowed
          ? { exportedBy: source }
          : (input, number, spend) => recoverImportedUtxo(tx, input, number, spend, source, strays),
      )
      break
    }
    case 'ExportTx': {
      const home = homeOf(rules, unsigned.destinationChain)
      if (home === undefined)
        batch.odd(place, 'otherChain', `it exports to ${cb58(unsigned.destinationChain)}`)
      else flow.make(unsigned.exportedOutputs, home)
      break
    }
  }
  batch.transaction(place, tx, xUtxoCount(unsigned))
}

/** Number of inputs and outputs of a transaction. */
function xUtxoCount(unsigned: XUnsigned): number {
  const { inputs, outputs } = unsigned.base
  const own = inputs.length + outputs.length
  switch (unsigned.type) {
    case 'BaseTx':
      return own
    case 'CreateAssetTx':
      return own + unsigned.states.reduce((sum, state) => sum + state.outputs.length, 0)
    case 'OperationTx':
      return unsigned.operations.reduce(
        (sum, { references, operation }) => sum + references.length + operationOutputs(operation).length,
        own,
      )
    case 'ImportTx':
      return own + unsigned.importedInputs.length
    case 'ExportTx':
      return own + unsigned.exportedOutputs.length
  }
}

const mintTypes: ReadonlySet<Output['type']> = new Set(['MINT', 'NFT_MINT', 'PROPERTY_MINT'])
const nftExtension = 1

function addAsset(
  batch: RowSink,
  chain: number,
  assetId: Uint8Array,
  unsigned: Extract<XUnsigned, { type: 'CreateAssetTx' }>,
  { height, index, ts }: Place,
): void {
  const { name, symbol, denomination, states } = unsigned
  const isNft = states.some(({ fxIndex }) => fxIndex === nftExtension)
  const isVariable = states.some(({ outputs }) => outputs.some(({ type }) => mintTypes.has(type)))
  batch.once('assets', assetId, [
    chain,
    height,
    index,
    ts,
    assetId,
    name,
    symbol,
    denomination,
    isNft,
    isVariable,
  ])
}

const pId = '0'.repeat(64)

/** The key of a chain that shares memory with the X-Chain; undefined for other chains. */
function homeOf(rules: XRules, id: Uint8Array): number | undefined {
  const key = keyOf(id)
  if (key === pId) return rules.pChain
  return key === rules.cId ? rules.cChain : undefined
}
