import { reindexNft } from '../../../contract/evm/contracts.ts'
import { call } from '../session.ts'

/** Asks the service to read the metadata of an NFT again; 429 with `retryAfter` within the hour. */
export async function reindex(chainId: string, address: string, tokenId: string): Promise<void> {
  await call(reindexNft, { params: { chainId, address, tokenId } })
}
