import type { ParamsOf, QueryOf, ResponseOf } from '../../contract/base/operation.ts'
import { listChains, type EvmChain, type getChain } from '../../contract/evm/chains.ts'
import { listBlockchains, type getBlockchain, type Blockchain } from '../../contract/network/blockchains.ts'
import { getVertex, listVertices } from '../../contract/primary/blocks.ts'
import { primaryChainIds } from '../../contract/primary/chains.ts'
import { getPrimaryTransaction, listPrimaryTransactions } from '../../contract/primary/transactions.ts'
import {
  listErc1155Balances,
  listErc20Balances,
  type getNativeBalance,
  type listCollectibleBalances,
} from '../../contract/tokens/balances.ts'
import { cChainIds } from '../lib/c-chains.ts'
import type { Request } from './client.ts'
import { ApiError, refusal } from './errors.ts'
import { notOffered } from './lacking.ts'
import { readPages } from './pages.ts'
import { call } from './session.ts'
import type { Substitute } from './substitutes.ts'

// Answers of operations that a service may lack, from lists that every service of the interface has.

/** Rows of a page of a list that is searched for a thing, and the pages of the newest transactions that are. */
const newest = 100
const searchedPages = 5

const avax = { name: 'Avalanche', symbol: 'AVAX', decimals: 18 }

/** An EVM chain as the registry of blockchains knows it: without its token, unless it is the C-Chain. */
function chainOf(row: Blockchain, network: 'mainnet' | 'fuji'): EvmChain {
  const isC = row.blockchainId === primaryChainIds.c[network]
  return {
    chainId: String(row.evmChainId),
    status: 'OK',
    chainName: row.blockchainName,
    description: '',
    platformChainId: row.blockchainId,
    subnetId: row.subnetId,
    vmId: row.vmId,
    vmName: 'EVM',
    rpcUrl: '',
    isTestnet: network === 'fuji',
    networkToken: isC ? avax : { name: '', symbol: '', decimals: 18 },
  }
}

/** The C-Chain, and the EVM chains among the newest blockchains of the network. */
const listChainsFromBlockchains: Substitute = async (
  { signal },
  { network },
): Promise<ResponseOf<typeof listChains>> => {
  const query = { pageSize: newest }
  const { blockchains } = await call(listBlockchains, { params: { network }, query, signal })
  const evm = blockchains.filter((row) => row.evmChainId !== undefined)
  const id = primaryChainIds.c[network]
  const c = evm.find(({ blockchainId }) => blockchainId === id) ?? {
    createBlockTimestamp: 0,
    createBlockNumber: '0',
    blockchainId: id,
    vmId: '',
    subnetId: primaryChainIds.p,
    blockchainName: 'C-Chain',
    evmChainId: Number(cChainIds[network]),
  }
  const rows = [c, ...evm.filter(({ blockchainId }) => blockchainId !== id)]
  return { chains: rows.map((row) => chainOf(row, network)) }
}

/** One of the same chains, by its chain ID or blockchain ID. */
const getChainFromBlockchains: Substitute = async ({ params }, { network }) => {
  const { chainId } = params as ParamsOf<typeof getChain>
  const { chains } = await call(listChains, { query: { network } })
  const found = chains.find((chain) => chain.chainId === chainId || chain.platformChainId === chainId)
  if (!found) throw refusal('This service names only its newest chains; this is not one of them.')
  return found
}

/** A blockchain from the list of all. */
const getBlockchainFromList: Substitute = async ({ params, signal }) => {
  const { network, blockchainId } = params as ParamsOf<typeof getBlockchain>
  const pages = readPages((pageToken) => {
    const query = { pageSize: newest, ...(pageToken !== undefined && { pageToken }) }
    return call(listBlockchains, { params: { network }, query, signal })
  })
  for await (const { blockchains } of pages) {
    const found = blockchains.find((row) => row.blockchainId === blockchainId)
    if (found) return found
  }
  throw new ApiError('status', `No blockchain has the ID ${blockchainId}.`, {
    status: 404,
    name: 'Not Found',
  })
}

/** A transaction, if it is among the newest five hundred of its chain. */
const getTransactionFromNewest: Substitute = async ({ params, signal }) => {
  const { txHash, ...chain } = params as ParamsOf<typeof getPrimaryTransaction>
  const pages = readPages((pageToken) => {
    const query = { pageSize: newest, ...(pageToken !== undefined && { pageToken }) }
    return call(listPrimaryTransactions, { params: chain, query, signal })
  })
  let read = 0
  for await (const { transactions } of pages) {
    const found = transactions.find((row) => row.txHash === txHash)
    if (found) return found
    read += 1
    if (read === searchedPages) break
  }
  throw notOffered(getPrimaryTransaction, () => true)
}

/** A vertex, if it is among the newest. */
const getVertexFromNewest: Substitute = async ({ params, signal }) => {
  const { vertexHash, ...chain } = params as ParamsOf<typeof getVertex>
  const { vertices } = await call(listVertices, { params: chain, query: { pageSize: newest }, signal })
  const found = vertices.find((row) => row.vertexHash === vertexHash)
  if (!found) throw notOffered(getVertex, () => true)
  return found
}

/** The native balance that stands beside the ERC-20 balances. */
const getNativeBalanceFromErc20: Substitute = async ({ params, query, signal }) => {
  const asked = query as QueryOf<typeof getNativeBalance> | undefined
  const { nativeTokenBalance } = await call(listErc20Balances, {
    params: params as ParamsOf<typeof listErc20Balances>,
    query: { ...asked, pageSize: 1 },
    signal,
  })
  if (nativeTokenBalance) return { nativeTokenBalance }
  throw new ApiError('status', 'The service does not know the balance at this block.', {
    status: 410,
    name: 'Gone',
  })
}

/** The ERC-1155 tokens alone; the page says that others are lacking. */
const listCollectiblesFromErc1155: Substitute = async (
  request,
): Promise<ResponseOf<typeof listCollectibleBalances>> => {
  const asked = request as Request<typeof listErc1155Balances>
  const { erc1155TokenBalances, ...page } = await call(listErc1155Balances, asked)
  return { nextPageToken: page.nextPageToken, collectibleBalances: erc1155TokenBalances }
}

/** The substitutes by the operation that they answer. */
export const fromLists: Readonly<Record<string, Substitute>> = {
  listChains: listChainsFromBlockchains,
  getChain: getChainFromBlockchains,
  getBlockchain: getBlockchainFromList,
  getPrimaryTransaction: getTransactionFromNewest,
  getVertex: getVertexFromNewest,
  getNativeBalance: getNativeBalanceFromErc20,
  listCollectibleBalances: listCollectiblesFromErc1155,
}
