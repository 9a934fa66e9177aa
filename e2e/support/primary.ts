import { listPrimaryTransactions, type PrimaryTransaction } from '../../contract/primary/transactions.ts'
import { getNetworkOverview } from '../../contract/network/overview.ts'
import type { PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { expect } from './fixtures.ts'
import { ask, askAll, sampleUrl } from './stack.ts'

/** The sample's network in paths. */
export const network = 'fuji'

/** The base path of the primary network's pages. */
export const root = `/networks/${network}`

/** Waits until the service follows the P- and X-Chain to their heads. */
export async function primaryIsLive(): Promise<void> {
  await expect(async () => {
    const { chains } = await ask(getNetworkOverview, { params: { network } })
    expect(chains.map(({ chainName, state }) => `${chainName} ${state}`)).toEqual([
      'p-chain live',
      'x-chain live',
      'c-chain live',
    ])
  }).toPass({ intervals: [500] })
}

/** All transactions of a chain in the service, latest first. */
export const everyTransaction = (blockchainId: PrimaryChainAlias): Promise<PrimaryTransaction[]> =>
  askAll(listPrimaryTransactions, 'transactions', {
    params: { network, blockchainId },
    query: { pageSize: 100 },
  })

/** Calls the sample's node directly: `P` or `X`. Throws on any error. */
export async function askNode(chain: 'P' | 'X', method: string, params: object): Promise<unknown> {
  const response = await fetch(`${sampleUrl}/ext/bc/${chain}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}
