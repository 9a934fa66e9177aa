import {
  getContractMetadata,
  listContractDeployments,
  type ContractMetadata,
} from '../../../../contract/evm/contracts.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { notFound } from '../../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { codeOf, ifKnown, isContractCode } from '../../../node/state.ts'
import type { Database } from '../../../store/database.ts'
import { beforeAllCalls, callCursor } from '../../../store/evm/read-address-calls.ts'
import {
  readCreation,
  readCreations,
  readTokenKinds,
  type Creation,
} from '../../../store/evm/contracts/read-contract.ts'
import { createContractBook, ercTypeOf, readNames, type ContractBook } from '../address-names.ts'
import { openList } from '../../../http/keyset-list.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'

/**
 * Contract metadata (docs/api.md, Operations): `/addresses/{address}` and
 * `/contracts/{address}/deployments`, latest first. Name, symbol and decimals are from the chain and the
 * token itself; the configuration's key `contracts` adds the rest.
 */
export function contractMetadataRoutes(context: RouteContext): Implementation[] {
  const { chains, store, nodes } = context
  const book = createContractBook(context.config)
  return [
    implement(getContractMetadata, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const { database } = store.get()
      const [creation, kinds] = await Promise.all([
        readCreation(database, chain.key, bytesOf(address)),
        readTokenKinds(database, chain.key, [address]),
      ])
      const isKnown = creation !== undefined || kinds.has(address) || book.of(chain.id, address) !== undefined
      const code = isKnown ? undefined : await ifKnown(codeOf(nodes.of(chain), address))
      if (!isKnown && (code === undefined || !isContractCode(code)))
        throw notFound(`${address} is not a contract that is known on chain ${chain.id}`)
      const [described] = await describeContracts(database, chain, book, [{ address, creation }])
      if (!described) throw new Error('a contract that was found has no description')
      return { ...described, ...(!isKnown && { isIndexed: false as const }) }
    }),

    implement(listContractDeployments, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const filters = { chainId: chain.id, address }
      const list = openList(context, listContractDeployments, callCursor, filters, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const { rows, nextPageToken } = await list.page(beforeAllCalls, (after, limit) =>
          readCreations(database, chain.key, bytesOf(address), after, limit),
        )
        const created = rows.map((creation) => ({ address: creation.address, creation }))
        return JSON.stringify({
          nextPageToken,
          contracts: await describeContracts(database, chain, book, created),
        })
      })
    }),
  ]
}

/** The signer and, if a contract created it, that contract. */
export const deployersOf = ({ origin, deployer }: Creation) => ({
  deployerAddress: origin,
  ...(deployer !== origin && { deployerContractAddress: deployer }),
})

async function describeContracts(
  database: Database,
  chain: Chain,
  book: ContractBook,
  contracts: readonly { address: string; creation: Creation | undefined }[],
): Promise<ContractMetadata[]> {
  const addresses = contracts.map(({ address }) => address)
  const [names, kinds] = await Promise.all([
    readNames(database, chain, book, addresses),
    readTokenKinds(database, chain.key, [...new Set(addresses)]),
  ])
  return contracts.map(({ address, creation }) => {
    const ercType = ercTypeOf(kinds.get(address))
    const { name, symbol, decimals } = names.facts(address)
    const said = book.of(chain.id, address)
    return {
      ...(name !== undefined && { name }),
      ...(said?.description !== undefined && { description: said.description }),
      ...(said?.officialSite !== undefined && { officialSite: said.officialSite }),
      ...(said?.email !== undefined && { email: said.email }),
      ...(said?.logoUri !== undefined && { logoAsset: { imageUri: said.logoUri } }),
      ...(said?.bannerUri !== undefined && { bannerAsset: { imageUri: said.bannerUri } }),
      ...(said?.color !== undefined && { color: said.color }),
      resourceLinks: said?.resourceLinks ?? [],
      tags: said?.tags ?? [],
      address,
      ...(creation && { deploymentDetails: { txHash: creation.txHash, ...deployersOf(creation) } }),
      ercType,
      ...(symbol !== undefined && { symbol }),
      ...names.label(address),
      ...names.sourceName(address),
      ...(decimals !== undefined && ercType === 'ERC-20' && { decimals }),
    }
  })
}
