import type { AddressTransaction } from '../../../contract/evm/addresses.ts'
import { movesValue } from '../../../protocol/evm/calls.ts'
import { countOfIds, type TokenFacts } from '../../components/tokens/token-amount.tsx'

/** The transfers and internal calls of a transaction. */
type Movements = Pick<
  AddressTransaction,
  'erc20Transfers' | 'erc721Transfers' | 'erc1155Transfers' | 'internalTransactions'
>
type Sides = { from: { address: string }; to: { address: string } }

/** An address's net change of one token; negative for a loss. An NFT has its id, a range of them both ends. */
type Net = { token: TokenFacts; total: bigint; tokenId?: string; lastTokenId?: string }

/** The effect of a transfer on the address: its value, the negated value, or 0 for a transfer to itself. */
function gain(own: string, { from, to }: Sides, value: bigint): bigint {
  const received = to.address.toLowerCase() === own ? value : 0n
  const sent = from.address.toLowerCase() === own ? value : 0n
  return received - sent
}

function add(nets: Map<string, Net>, key: string, net: Net): void {
  const known = nets.get(key)
  if (known) known.total += net.total
  else nets.set(key, net)
}

/**
 * The net effects of a transaction on an address in addition to its own value: ERC-20 tokens and NFTs by key, in the
 * order of their first transfer, and the native value of each internal call. Reverted calls have no effect.
 */
export function netFlows(
  { erc20Transfers = [], erc721Transfers = [], erc1155Transfers = [], internalTransactions = [] }: Movements,
  address: string,
): { fungible: Map<string, Net>; items: Map<string, Net>; native: readonly bigint[] } {
  const own = address.toLowerCase()
  const fungible = new Map<string, Net>()
  const items = new Map<string, Net>()
  for (const transfer of erc20Transfers) {
    const token = transfer.erc20Token
    add(fungible, token.address.toLowerCase(), { token, total: gain(own, transfer, BigInt(transfer.value)) })
  }
  const addItem = (token: TokenFacts, tokenId: string, total: bigint): void =>
    add(items, `${token.address.toLowerCase()}/${tokenId}`, { token, tokenId, total })
  for (const transfer of erc721Transfers) {
    const { erc721Token: token } = transfer
    const { tokenId, lastTokenId } = token
    const total = gain(own, transfer, countOfIds(token))
    if (lastTokenId === undefined) addItem(token, tokenId, total)
    else
      add(items, `${token.address.toLowerCase()}/${tokenId}-${lastTokenId}`, {
        token,
        tokenId,
        lastTokenId,
        total,
      })
  }
  for (const transfer of erc1155Transfers)
    addItem(transfer.erc1155Token, transfer.erc1155Token.tokenId, gain(own, transfer, BigInt(transfer.value)))
  const native = internalTransactions
    .filter((call) => !call.isReverted && movesValue(call.internalTxType, BigInt(call.value)))
    .map((call) => gain(own, call, BigInt(call.value)))
  return { fungible, items, native }
}
