import { LedgerError, type Ledger, type LedgerBlock } from '../../primary/ledger.ts'
import { encodingArg, idArg, numberArg, txArg } from '../rpc/args.ts'
import type { Json } from '../rpc/go-json.ts'
import type { Methods, Params } from '../rpc/json2.ts'
import { ServiceError } from '../rpc/service-errors.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { encode } from '../rpc/encodings.ts'
import type { LocalChain } from './addresses.ts'
import { getUtxos } from './utxos.ts'

/** The methods that the services of P and X share. `refusal` precedes the ledger's reason to refuse a transaction. */
export function chainMethods(
  ledger: Ledger,
  name: 'P' | 'X',
  chain: LocalChain,
  jsonOf: (bytes: Uint8Array, form: LocalChain['form']) => unknown,
  refusal: string,
): Methods {
  function blockJson(block: LedgerBlock | undefined, what: string, params: Params): Json {
    if (block === undefined) throw new ServiceError(`couldn't get block ${what}: not found`)
    const encoding = encodingArg(params)
    const { bytes } = block
    return { block: encoding === 'json' ? jsonOf(bytes, chain.form) : encode(encoding, bytes), encoding }
  }

  return {
    getHeight: () => ({ height: String(ledger.height(name)) }),
    getBlock(params) {
      const id = idArg(params, 'blockID')
      return blockJson(ledger.block(name, id), `with id ${cb58(id)}`, params)
    },
    getBlockByHeight(params) {
      const height = numberArg(params, 'height')
      return blockJson(ledger.block(name, Number(height)), `at height ${height}`, params)
    },
    issueTx(params) {
      const bytes = txArg(params)
      try {
        return { txID: cb58(ledger.issue(name, bytes)) }
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error
        throw new ServiceError(refusal + error.message, { cause: error })
      }
    },
    getUTXOs: (params) => getUtxos(ledger, chain, name, params),
  }
}
