import type { EvmChain } from '../../evm/evm-chain.ts'
import { type EvmView, type Ledger, LedgerError } from '../../primary/ledger.ts'
import { accountsOf } from '../../evm/anvil/settle.ts'
import { readIssued } from '../../primary/engine/verify.ts'
import { accountsIn } from '../../primary/engine/verify-c.ts'
import { nextBaseFee } from '../evm/extras.ts'
import type { Params } from '../rpc/json2.ts'
import { ServiceError } from '../rpc/service-errors.ts'
import type { Json } from '../rpc/go-json.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { txArg } from '../rpc/args.ts'

/** The state outside the ledger that the transaction depends on. Throws `LedgerError` for an invalid one. */
async function viewFor(chain: Promise<EvmChain>, bytes: Uint8Array): Promise<EvmView> {
  const issued = readIssued('C', bytes)
  const { rpc } = (await chain).anvil
  return {
    baseFee: await nextBaseFee(rpc),
    accounts: await accountsOf(rpc, issued.chain === 'C' ? accountsIn(issued.made.tx) : []),
  }
}

/** `avax.issueTx` (docs/sample-node.md, "Atomic transactions from outside"). The transaction waits for the next block of the C-Chain. */
export async function issueAtomic(ledger: Ledger, chain: Promise<EvmChain>, params: Params): Promise<Json> {
  const bytes = txArg(params)
  try {
    return { txID: cb58(ledger.issue('C', bytes, await viewFor(chain, bytes))) }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    throw new ServiceError(error.message, { cause: error })
  }
}
