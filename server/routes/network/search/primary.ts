import {
  addressOfText,
  addressText,
  cb58,
  idOfText,
  nodeIdText,
  TextFormError,
} from '../../../../protocol/ids/text.ts'
import { bech32Range, cb58Ranges } from '../../../../protocol/ids/prefix.ts'
import { primaryChainNames, primaryChainAliases } from '../../../../contract/primary/chains.ts'
import type { Config, NetworkConfig } from '../../../kernel/settings/config.ts'
import type { Nodes } from '../../../node/nodes.ts'
import { ifKnown, soon } from '../../../node/state.ts'
import { primaryChainKey, primaryChainOf } from '../../../primary/chains.ts'
import { findNetwork, type ServedChain, type ServedNetwork } from '../../../primary/served-network.ts'
import type { Database } from '../../../store/database.ts'
import {
  findById,
  findNode,
  findPrimaryBlocks,
  findSubnets,
  findWallet,
  type IdHit,
} from '../../../store/network/read-search-primary.ts'
import { findIds, findNodes, findWallets } from '../../../store/network/read-search-prefix.ts'
import { type NetworkView, openView } from '../../primary/context.ts'
import { hasTransaction } from '../../primary/unindexed-transaction.ts'
import { isChainBehind } from '../../primary/behind.ts'
import { unindexedPrimaryBlock } from '../../primary/unindexed.ts'
import type { NodeNames } from '../node-names.ts'
import type { BlockchainNames, NamedBlockchain } from './blockchain-names.ts'
import { bestMatch, folded } from './match.ts'
import { transactionsText, type Found, type Hit } from './rank.ts'

/** Maximum number of nodes and names found by a part of a text. */
const maxFound = 10
/** Minimum length of a part that finds nodes or names. */
const minPart = 3
/** Minimum length of the beginning of an id or address that finds it. */
const minBeginning = 6
/** Length of the longest id in CB58. */
const longestId = 52

const noticed = <Value>(parse: () => Value): Value | undefined => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof TextFormError) return undefined
    throw error
  }
}

/** What the search of the primary network keeps between requests. */
export type PrimaryNames = { readonly nodes: NodeNames; readonly blockchains: BlockchainNames }

const networksOf = (config: Config): ServedNetwork[] =>
  [...new Set(config.networks.map(({ id }) => id))].map((id) => findNetwork(config, id))

/** The possible meanings of a height, id or address, or of the beginning of one, on the primary networks. */
export async function searchPrimary(
  config: Config,
  database: Database,
  nodes: Nodes,
  names: PrimaryNames,
  text: string,
): Promise<Hit[]> {
  const networks = networksOf(config)
  if (networks.length === 0) return []
  const height = text.replaceAll(/[,_ ]/g, '')
  if (/^\d{1,16}$/.test(height))
    return together([
      blocksAt(database, networks, BigInt(height)),
      chainsBehind(database, networks).then((behind) => unindexedBlocks(nodes, behind, height)),
    ])
  const id =
    noticed(() => Buffer.from(idOfText(text))) ??
    (/^0x[0-9a-f]{64}$/i.test(text) ? Buffer.from(text.slice(2), 'hex') : undefined)
  if (id) {
    const known = await namedBy(database, networks, id)
    if (known.length > 0) return known
    const behind = await chainsBehind(database, networks)
    const asked = cb58(id)
    return together([unindexedBlocks(nodes, behind, asked), unindexedTransactions(nodes, behind, asked)])
  }
  const found: Hit[] = [...(await beginningWith(database, networks, text))]
  for (const network of networks) {
    found.push(
      ...(await walletOf(database, network, text)),
      ...(await nodesOf(database, names.nodes, network, text)),
    )
  }
  return found
}

/** Blockchains of the primary networks by name, and the L1s and subnets that they belong to. */
export async function searchBlockchains(
  config: Config,
  database: Database,
  { blockchains }: PrimaryNames,
  text: string,
): Promise<Hit[]> {
  const wanted = folded(text)
  if (wanted.length < minPart) return []
  const keys = networksOf(config).map(({ p }) => p)
  const found: { chain: NamedBlockchain; match: Hit['match'] }[] = []
  for (const chain of keys.length === 0 ? [] : await blockchains.load(database, keys)) {
    const match = bestMatch(wanted, [chain.name])
    if (match) found.push({ chain, match })
    if (found.length >= 4 * maxFound) break
  }
  const subnets = await findSubnets(
    database,
    keys,
    found.map(({ chain }) => chain.subnet),
  )
  return found.flatMap(({ chain, match }): Hit[] => {
    const subnet = subnets.find((each) => each.chain === chain.chain && each.subnet.equals(chain.subnet))
    return [
      { match, result: blockchainResult(chain.chain, cb58(chain.blockchain_id), chain.name) },
      ...(subnet === undefined
        ? []
        : [
            {
              // The name is that of the chain.
              match: match === 'exact' ? ('word' as const) : match,
              result: {
                ...place(chain.chain),
                kind: 'subnet',
                id: cb58(chain.subnet),
                title: `${subnet.converted ? 'L1' : 'Subnet'} of ${chain.name}`,
                detail: cb58(chain.subnet),
              },
            },
          ]),
    ]
  })
}

const blockchainResult = (chain: number, id: string, name: string): Found => ({
  ...place(chain),
  kind: 'blockchain',
  id,
  title: name,
  detail: id,
})

const place = (chain: number): Pick<Found, 'network' | 'chainId' | 'chainName'> => {
  const { network, alias } = primaryChainOf(chain)
  return { network, chainId: alias, chainName: primaryChainNames[alias] }
}

/** C-Chain blocks are found as EVM blocks. */
const isFoundElsewhere = ({ kind, chain }: Pick<IdHit, 'kind' | 'chain'>): boolean =>
  kind === 'primaryBlock' && primaryChainOf(chain).alias === 'c-chain'

async function blocksAt(
  database: Database,
  networks: readonly ServedNetwork[],
  height: bigint,
): Promise<Hit[]> {
  const keys = networks.flatMap(({ p, x }) => [p, x])
  return (await findPrimaryBlocks(database, keys, height)).map((hit) => ({
    match: 'exact',
    result: {
      ...place(hit.chain),
      kind: 'primaryBlock',
      id: hit.height.toString(),
      title: `Block ${hit.height}`,
      detail: `${transactionsText(hit.tx_count)}, ${cb58(hit.id)}`,
    },
  }))
}

async function namedBy(database: Database, networks: readonly ServedNetwork[], id: Buffer): Promise<Hit[]> {
  const keys = networks.flatMap(({ p, x, c }) => [p, x, c])
  const text = cb58(id)
  const hits = (await findById(database, keys, id)).filter((hit) => !isFoundElsewhere(hit))
  return hits.map((hit) => ({ match: 'exact', result: idResult(hit, text) }))
}

const together = async (found: readonly Promise<readonly Hit[]>[]): Promise<Hit[]> =>
  (await Promise.all(found)).flat()

type ChainBehind = { readonly chain: ServedChain; readonly view: NetworkView }

/** The chains of networks that are behind their nodes, with what a question about one needs. */
async function chainsBehind(database: Database, networks: readonly ServedNetwork[]): Promise<ChainBehind[]> {
  const found = await Promise.all(
    networks.map(async (network) => {
      const view = await openView(database, network)
      return primaryChainAliases
        .map((alias) => ({ chain: { ...network, alias, key: primaryChainKey(network.id, alias) }, view }))
        .filter(({ chain }) => isChainBehind(view, chain.key))
    }),
  )
  return found.flat()
}

/** Blocks of P and X that the nodes have and the index does not have yet, by height or id. */
const unindexedBlocks = (nodes: Nodes, behind: readonly ChainBehind[], blockId: string): Promise<Hit[]> =>
  together(
    behind.map(async ({ chain, view }): Promise<Hit[]> => {
      const block = await ifKnown(soon(unindexedPrimaryBlock(nodes, chain, view, blockId)))
      if (!block) return []
      const { blockNumber: id } = block
      const result = { ...place(chain.key), kind: 'primaryBlock' as const, id, title: `Block ${id}` }
      return [{ match: 'exact', result: { ...result, detail: 'Not indexed' } }]
    }),
  )

/** Transactions that the nodes have and the index does not have yet. */
const unindexedTransactions = (nodes: Nodes, behind: readonly ChainBehind[], id: string): Promise<Hit[]> =>
  together(
    behind.map(async ({ chain }): Promise<Hit[]> => {
      if (!(await ifKnown(soon(hasTransaction(nodes, chain, id))))) return []
      const result = { ...place(chain.key), kind: 'primaryTransaction' as const, id, title: id }
      return [{ match: 'exact', result: { ...result, detail: 'Not indexed' } }]
    }),
  )

const idResult = (hit: IdHit, text: string): Found => ({
  ...place(hit.chain),
  kind: hit.kind,
  id: hit.kind === 'primaryBlock' ? hit.detail : text,
  ...described(hit, text),
})

/** Objects and nodes whose id begins with the text, which may begin with `NodeID-`. */
async function beginningWith(
  database: Database,
  networks: readonly ServedNetwork[],
  text: string,
): Promise<Hit[]> {
  const digits = /^(?:NodeID-)?([1-9A-HJ-NP-Za-km-z]+)$/.exec(text)?.[1] ?? ''
  const isNode = text.startsWith('NodeID-')
  if (digits.length < minBeginning || digits.length > longestId) return []
  const keys = networks.flatMap(({ p, x, c }) => [p, x, c])
  const ids = isNode ? [] : await findIds(database, keys, cb58Ranges(digits, 32))
  const found = ids.flatMap((hit): Hit[] => {
    const id = cb58(hit.id)
    return id.startsWith(digits) && !isFoundElsewhere(hit)
      ? [{ match: 'prefix', result: idResult(hit, id) }]
      : []
  })
  for (const network of networks) {
    const nodes = await findNodes(database, network.p, cb58Ranges(digits, 20))
    for (const node of nodes.filter((each) => nodeIdText(each).startsWith(`NodeID-${digits}`)))
      found.push(await nodeHit(database, network, node, text))
  }
  return found
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

async function walletOf(database: Database, network: ServedNetwork, text: string): Promise<Hit[]> {
  const { prefix }: NetworkConfig = network.config
  const bare = text.toLowerCase().replace(/^[pxc]-/, '')
  const address = noticed(() => Buffer.from(addressOfText(bare, prefix)))
  if (address) return [await walletHit(database, network, address, 'exact')]
  // The beginning of an address: the network's prefix, the 1, and at least one more character.
  const digits = bare.startsWith(`${prefix}1`) ? bare.slice(prefix.length + 1) : ''
  const range = bare.length < minBeginning || bare.length > 90 ? undefined : bech32Range(digits)
  if (!range) return []
  const found = await findWallets(database, [network.p, network.x, network.c], range)
  return Promise.all(
    found
      .filter((each) => addressText(each, prefix).startsWith(bare))
      .map((each) => walletHit(database, network, each, 'prefix')),
  )
}

async function walletHit(
  database: Database,
  network: ServedNetwork,
  address: Buffer,
  match: Hit['match'],
): Promise<Hit> {
  const keys = [network.p, network.x, network.c]
  const used = (await findWallet(database, keys, address)).map((key) => place(key).chainName)
  const id = addressText(address, network.config.prefix)
  const detail = used.length === 0 ? 'Not active in any indexed block' : `Active on ${used.join(', ')}`
  return { match, result: { ...place(network.p), kind: 'wallet', id, title: id, detail } }
}

async function nodesOf(
  database: Database,
  names: NodeNames,
  network: ServedNetwork,
  text: string,
): Promise<Hit[]> {
  const part = /^nodeid-(.*)$/i.exec(text)?.[1]
  if (part === undefined || part.length < minPart) return []
  const nodes = await names.find(database, network.p, [text])
  return Promise.all(nodes.slice(0, maxFound).map((node) => nodeHit(database, network, node, text)))
}

async function nodeHit(database: Database, network: ServedNetwork, node: Buffer, text: string): Promise<Hit> {
  const { validates, validated } = await findNode(database, network.p, node)
  const id = nodeIdText(node)
  const isUnknown = !validated && isChainBehind(await openView(database, network), network.p)
  const never = isUnknown ? 'Not indexed' : 'Has never validated'
  const detail = validates ? 'Validates now' : validated ? 'Has validated' : never
  const match = id === text ? 'exact' : 'prefix'
  return { match, result: { ...place(network.p), kind: 'node', id, title: id, detail } }
}
