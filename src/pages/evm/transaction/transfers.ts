import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import { countOfIds } from '../../../components/tokens/token-amount.tsx'

export type Transfer = {
  key: string
  logIndex: number
  from: { address: string; name?: string | undefined }
  to: { address: string; name?: string | undefined }
  token: {
    address: string
    name?: string | undefined
    symbol?: string | undefined
    ercType: string
    decimals?: number | undefined
  }
  value?: string
  tokenId?: string
  /** The last id of a range, whose number of ids is the value. */
  lastTokenId?: string | undefined
}

/** Every token transfer of a transaction in the order of its logs. */
export function transfersOf(details: TransactionDetails): Transfer[] {
  const erc20 = (details.erc20Transfers ?? []).map((transfer, index) => ({
    ...transfer,
    key: `20:${transfer.logIndex}:${index}`,
    token: transfer.erc20Token,
  }))
  const erc721 = (details.erc721Transfers ?? []).map((transfer, index) => ({
    ...transfer,
    key: `721:${transfer.logIndex}:${index}`,
    token: transfer.erc721Token,
    tokenId: transfer.erc721Token.tokenId,
    ...(transfer.erc721Token.lastTokenId !== undefined && {
      lastTokenId: transfer.erc721Token.lastTokenId,
      value: countOfIds(transfer.erc721Token).toString(),
    }),
  }))
  const erc1155 = (details.erc1155Transfers ?? []).map((transfer, index) => ({
    ...transfer,
    key: `1155:${transfer.logIndex}:${index}`,
    token: transfer.erc1155Token,
    tokenId: transfer.erc1155Token.tokenId,
  }))
  return [...erc20, ...erc721, ...erc1155].sort((a, b) => a.logIndex - b.logIndex)
}
