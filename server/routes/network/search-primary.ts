import type { SearchResult } from '../../../contract/network/search.ts'
import type { Config, NetworkConfig } from '../../kernel/config.ts'
import { primaryChainOf } from '../../primary/chains.ts'
import {
  addressOfText,
  addressText,
  cb58,
  idOfText,
  nodeIdText,
  TextFormError,
} from '../../../protocol/ids/text.ts'
import type { Database } from '../../store/database.ts'
import {
  findBlockchainsNamed,
  findById,
  findNode,
  findPrimaryBlocks,
  findWallet,
  type IdHit,
} from '../../store/network/read-search-primary.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import type { NodeNames } from './node-names.ts'

/** Maximum number of nodes and names found by a part of a text. */
const mostFound = 10
/** Minimum length of a part that finds nodes or names. */
const leastPart = 3

const chainNames = { 'p-chain': 'P-Chain', 'x-chain': 'X-Chain', 'c-chain': 'C-Chain' } as const

const noticed = <Value>(parse: () => Value): Value | undefined => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof TextFormError) return undefined
    throw error
  }
}

/** The possible meanings of a text on the configured primary networks. */
export async function searchPrimary(
  config: Config,
  database: Database,
  names: NodeNames,
  text: string,
): Promise<SearchResult[]> {
  const networks = [...new Set(config.networks.map(({ id }) => id))].map((id) => findNetwork(config, id))
  if (networks.length === 0) return []
  const height = text.replaceAll(/[,_ ]/g, '')
  if (/^\d{1,16}$/.test(height)) return blocksAt(database, networks, BigInt(height))
  const id =
    noticed(() => Buffer.from(idOfText(text))) ??
    (/^0x[0-9a-f]{64}$/i.test(text) ? Buffer.from(text.slice(2), 'hex') : undefined)
  if (id) return namedBy(database, networks, id)
  const found: SearchResult[] = []
  for (const network of networks) {
    found.push(
      ...(await walletOf(database, network, text)),
      ...(await nodesOf(database, names, network, text)),
    )
  }
  return [...found, ...(await chainsNamed(database, networks, text))]
}

const place = (chain: number): Pick<SearchResult, 'network' | 'chainId' | 'chainName'> => {
  const { network, alias } = primaryChainOf(chain)
  return { network, chainId: alias, chainName: chainNames[alias] }
}

/** C-chain blocks are found as EVM blocks. */
const isFoundElsewhere = ({ kind, chain }: IdHit): boolean =>
  kind === 'primaryBlock' && primaryChainOf(chain).alias === 'c-chain'

async function blocksAt(
  database: Database,
  networks: readonly ServedNetwork[],
  height: bigint,
): Promise<SearchResult[]> {
  const keys = networks.flatMap(({ p, x }) => [p, x])
  return (await findPrimaryBlocks(database, keys, height)).map((hit) => ({
    ...place(hit.chain),
    kind: 'primaryBlock',
    id: hit.height.toString(),
    title: `Block ${hit.height}`,
    detail: `${hit.tx_count} ${hit.tx_count === 1 ? 'transaction' : 'transactions'}, ${cb58(hit.id)}`,
  }))
}

async function namedBy(
  database: Database,
  networks: readonly ServedNetwork[],
  id: Buffer,
): Promise<SearchResult[]> {
  const keys = networks.flatMap(({ p, x, c }) => [p, x, c])
  const text = cb58(id)
  const hits = (await findById(database, keys, id)).filter((hit) => !isFoundElsewhere(hit))
  return hits.map((hit) => ({
    ...place(hit.chain),
    kind: hit.kind,
    id: hit.kind === 'primaryBlock' ? hit.detail : text,
    ...described(hit, text),
  }))
}

function described({ kind, detail }: IdHit, text: string): { title: string; detail?: string } {
  switch (kind) {
    case 'blockchain':
      return { title: detail, detail: text }
    case 'primaryTransaction':
      return { title: text, ...(detail !== '-1' && { detail: `In block ${detail}` }) }
    case 'primaryBlock':
      return { title: `Block ${detail}`, detail: text }
    case 'vertex':
      return { title: text, detail: `At height ${detail}` }
    case 'l1Validation':
      return { title: text, detail: `Weight ${detail}` }
    case 'subnet':
      return { title: text }
  }
}

async function walletOf(database: Database, network: ServedNetwork, text: string): Promise<SearchResult[]> {
  const { prefix }: NetworkConfig = network.config
  const address = noticed(() => Buffer.from(addressOfText(text.toLowerCase().replace(/^[pxc]-/, ''), prefix)))
  if (!address) return []
  const keys = [network.p, network.x, network.c]
  const used = (await findWallet(database, keys, address)).map((key) => place(key).chainName)
  const id = addressText(address, prefix)
  return [
    {
      ...place(network.p),
      kind: 'wallet',
      id,
      title: id,
      detail: used.length === 0 ? 'Not active in any indexed block' : `Active on ${used.join(', ')}`,
    },
  ]
}

async function nodesOf(
  database: Database,
  names: NodeNames,
  network: ServedNetwork,
  text: string,
): Promise<SearchResult[]> {
  const part = /^nodeid-(.*)$/i.exec(text)?.[1]
  if (part === undefined || part.length < leastPart) return []
  const nodes = await names.find(database, network.p, [text])
  return Promise.all(
    nodes.slice(0, mostFound).map(async (node) => {
      const { validates, validated } = await findNode(database, network.p, node)
      const id = nodeIdText(node)
      const detail = validates ? 'Validates now' : validated ? 'Has validated' : 'Has never validated'
      return { ...place(network.p), kind: 'node', id, title: id, detail }
    }),
  )
}

async function chainsNamed(
  database: Database,
  networks: readonly ServedNetwork[],
  text: string,
): Promise<SearchResult[]> {
  // PostgreSQL text cannot contain NUL, so no name matches.
  if (text.length < leastPart || text.includes('\0')) return []
  const keys = networks.map(({ p }) => p)
  return (await findBlockchainsNamed(database, keys, text, mostFound)).map((hit) => ({
    ...place(hit.chain),
    kind: 'blockchain',
    id: cb58(hit.blockchain_id),
    title: hit.name,
    detail: cb58(hit.blockchain_id),
  }))
}
