import type { Ledger } from '../../primary/ledger.ts'
import type { Params, Methods } from '../rpc/json2.ts'
import { explained, ServiceError } from '../rpc/service-errors.ts'
import { type LocalChain, parseAddress } from './addresses.ts'
import { zeroId, encodingArg, flagArg, idArg, textArg } from '../rpc/args.ts'
import type { Json } from '../rpc/go-json.ts'
import { allUtxos } from './stake.ts'
import { hexOfCb58 } from '../../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { encode } from '../rpc/encodings.ts'
import { xBlockJson, xTxJson } from '../../../protocol/primary/node-json.ts'
import { chainMethods } from './chain-methods.ts'

/** What the X-Chain's service needs. */
type ExchangeFacts = {
  readonly ledger: Ledger
  readonly chain: LocalChain
}

/** nAVAX, the test network's values. */
const txFees = { txFee: '1000000', createAssetTxFee: '10000000' }

const avaxAlias = 'AVAX'

/** The methods of the X-Chain's service, `avm.…`, by name. */
export function exchangeMethods({ ledger, chain }: ExchangeFacts): Methods {
  const { form } = chain

  function assetArg(params: Params): string {
    const text = textArg(params, 'assetID')
    if (text === avaxAlias) return ledger.ids.avax
    const hex = hexOfCb58(text)
    if (hex?.length === 64) return hex
    throw new ServiceError(`asset '${text}' not found`)
  }

  function addressArg(params: Params): string {
    const text = textArg(params, 'address')
    return explained(`problem parsing address '${text}': `, () => parseAddress(chain, text))
  }

  function txIdArg(params: Params): string {
    const id = idArg(params, 'txID')
    if (id === zeroId) throw new ServiceError('nil transaction ID')
    return id
  }

  /** The amounts of an address; `includePartial` adds outputs that are shared or locked. */
  function money(params: Params): readonly { assetId: string; amount: bigint; utxo: Json }[] {
    const isPartial = flagArg(params, 'includePartial')
    const now = BigInt(ledger.chainTime())
    return allUtxos(ledger, 'X', [addressArg(params)]).flatMap(({ output, assetId, txId, outputIndex }) => {
      if (output.type !== 'TRANSFER') return []
      if (!isPartial && (output.owner.addresses.length !== 1 || output.owner.locktime > now)) return []
      return [{ assetId, amount: output.amount, utxo: { txID: cb58(txId), outputIndex } }]
    })
  }

  return {
    ...chainMethods(ledger, 'X', chain, xBlockJson, ''),
    getTx(params) {
      const encoding = encodingArg(params)
      const tx = ledger.tx('X', txIdArg(params))
      if (tx === undefined || tx.status === 'Processing') throw new ServiceError('not found')
      return { tx: encoding === 'json' ? xTxJson(tx.bytes, form) : encode(encoding, tx.bytes), encoding }
    },
    getTxStatus(params) {
      const tx = ledger.tx('X', txIdArg(params))
      return { status: tx === undefined || tx.status === 'Processing' ? 'Unknown' : 'Accepted' }
    },
    getTxFee: () => txFees,
    getBalance(params) {
      const assetId = assetArg(params)
      const found = money(params).filter((each) => each.assetId === assetId)
      return {
        balance: String(found.reduce((sum, { amount }) => sum + amount, 0n)),
        utxoIDs: found.map(({ utxo }) => utxo),
      }
    },
    getAllBalances(params) {
      const sums = new Map<string, bigint>()
      for (const { assetId, amount } of money(params)) sums.set(assetId, (sums.get(assetId) ?? 0n) + amount)
      return {
        balances: [...sums].map(([assetId, amount]) => ({
          asset: assetId === ledger.ids.avax ? avaxAlias : cb58(assetId),
          balance: String(amount),
        })),
      }
    },
    getAssetDescription(params) {
      const id = assetArg(params)
      const asset = ledger.asset(id)
      if (asset === undefined) {
        const isTx = ledger.tx('X', id) !== undefined
        throw new ServiceError(isTx ? "transaction doesn't create an asset" : 'not found')
      }
      const { name, symbol, denomination } = asset
      return { assetID: cb58(id), name, symbol, denomination: String(denomination) }
    },
  }
}
