import { getAddressOverview } from '../../../../contract/evm/addresses.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { codeOf, ifKnown, isContractCode, nativeBalanceAt, soon } from '../../../node/state.ts'
import { readAddressOverview } from '../../../store/evm/read-address-overview.ts'
import { readCreation, readTokenKinds } from '../../../store/evm/contracts/read-contract.ts'
import { operatorLists } from '../../../tokens/facts/reputation.ts'
import { createContractBook, ercTypeOf, readNames } from '../address-names.ts'
import { deployersOf } from '../contracts/contract-metadata.ts'
import { readKept } from '../../../store/evm/read-kept.ts'
import { readBehind } from '../behind.ts'
import { keptFields } from '../kept.ts'
import { bytesOf, max, type RouteContext } from '../../../http/route-context.ts'

/** Only in Ridgeline: the type of an address, its active period, and its current number of tokens. */
export function addressOverviewRoutes(context: RouteContext): Implementation[] {
  const { chains, config, store, nodes } = context
  const book = createContractBook(config)
  return [
    implement(getAddressOverview, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const { database } = store.get()
      const [behind, found, kinds, names, balance] = await Promise.all([
        readBehind(context, [chain]),
        readAddressOverview(database, chain.key, address, operatorLists(config, chain.id)),
        readTokenKinds(database, chain.key, [address]),
        readNames(database, chain, book, [address]),
        soon(ifKnown(nativeBalanceAt(nodes, chain, address))),
      ])
      const kind = kinds.get(address)
      const isKnown = found.created || kind !== undefined || found.first_block !== null
      // Of what no indexed block names, the node says whether it is a contract.
      const code = isKnown ? undefined : await soon(ifKnown(codeOf(nodes.of(chain), address)))
      const isNodesContract = code !== undefined && isContractCode(code)
      // What the index does not name may still be in the blocks that it lacks.
      const isUnknown = !isKnown && behind.length > 0
      const creation = found.created ? await readCreation(database, chain.key, bytesOf(address)) : undefined
      const { name } = names.facts(address)
      const kept = await readKept(database, chain.key)
      const lowest = max(kept.traces, kept.logs)
      const isLastKnown = found.last_block !== null && BigInt(found.last_block) >= lowest
      return {
        address,
        isContract: found.created || kind !== undefined || isNodesContract,
        ...((isNodesContract || isUnknown) && { isIndexed: false as const }),
        ...(kind !== undefined && { tokenType: ercTypeOf(kind) }),
        ...(name !== undefined && { name }),
        ...names.label(address),
        ...names.sourceName(address),
        ...(creation && {
          creation: { blockTimestamp: creation.ts, txHash: creation.txHash, ...deployersOf(creation) },
        }),
        ...(balance !== undefined && { balance: balance.toString() }),
        // A dropped row may be earlier than the first that is left, and later than the last below the kept blocks.
        ...(found.first_block !== null && lowest === 0n && { firstBlock: found.first_block }),
        ...(found.first_ts !== null && lowest === 0n && { firstTimestamp: Number(found.first_ts) }),
        ...(found.last_block !== null && isLastKnown && { lastBlock: found.last_block }),
        ...(found.last_ts !== null && isLastKnown && { lastTimestamp: Number(found.last_ts) }),
        ...(!isUnknown && {
          erc20Count: found.erc20_count,
          spamErc20Count: found.spam_count,
          nftCount: found.nft_count,
        }),
        hasTraces: found.traced,
        ...keptFields(kept, { from: 0n }),
      }
    }),
  ]
}
