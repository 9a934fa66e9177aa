import type { EvmChain } from '../../evm/evm-chain.ts'
import type { Ledger, LedgerTx } from '../../primary/ledger.ts'
import { issueAtomic } from './atomic-issue.ts'
import type { Params, Methods } from '../rpc/json2.ts'
import { ServiceError } from '../rpc/service-errors.ts'
import type { LocalChain } from './addresses.ts'
import { zeroId, encodingArg, idArg } from '../rpc/args.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { encode } from '../rpc/encodings.ts'
import { getUtxos } from './utxos.ts'

/** What `/ext/bc/C/avax` needs. */
type AtomicFacts = {
  readonly ledger: Ledger
  readonly chain: LocalChain
  readonly c: Promise<EvmChain>
}

/** The methods of the C-Chain's atomic service, `avax.…`, by name. */
export function atomicMethods({ ledger, chain, c }: AtomicFacts): Methods {
  function txOf(params: Params): { readonly id: string; readonly tx: LedgerTx | undefined } {
    const id = idArg(params, 'txID')
    if (id === zeroId) throw new ServiceError('nil transaction ID')
    return { id, tx: ledger.tx('C', id) }
  }

  /** The height of an accepted transaction's block; undefined while it is pending. */
  async function heightOf({ status, height }: LedgerTx): Promise<string | undefined> {
    if (status === 'Processing' || height === undefined || height > (await c).head.number) return undefined
    return String(height)
  }

  return {
    version: () => ({ version: 'v0.15.4' }),
    getUTXOs: (params) => getUtxos(ledger, chain, 'C', params),
    async getAtomicTx(params) {
      const encoding = encodingArg(params)
      const { id, tx } = txOf(params)
      if (tx === undefined) throw new ServiceError(`could not find tx ${cb58(id)}`)
      return { tx: encode(encoding, tx.bytes), encoding, blockHeight: await heightOf(tx) }
    },
    async getAtomicTxStatus(params) {
      const { tx } = txOf(params)
      if (tx === undefined) return { status: 'Unknown' }
      const blockHeight = await heightOf(tx)
      return { status: blockHeight === undefined ? 'Processing' : 'Accepted', blockHeight }
    },
    issueTx: (params) => issueAtomic(ledger, c, params),
  }
}
