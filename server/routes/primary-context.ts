import type { AssetAmount } from '../../contract/primary-fields.ts'
import {
  primaryChainAliases,
  primaryChainIds,
  type PrimaryChainAlias,
} from '../../contract/primary-fields.ts'
import type { Config, NetworkConfig } from '../config.ts'
import { badRequest, notFound } from '../errors.ts'
import { primaryChainKey, primaryChainNamed, primaryChainOf, type PrimaryNetwork } from '../primary/chains.ts'
import {
  addressOfText,
  addressText,
  cb58,
  hexText,
  idOfText,
  nodeIdOfText,
  nodeIdText,
  TextFormError,
} from '../primary/text.ts'
import type { Queryable } from '../store/database.ts'
import { readAssets, readStanding, type AssetRow, type StandingRow } from '../store/read-primary.ts'

/** A network of the configuration, as paths name it: `testnet` is `fuji`. */
export type ServedNetwork = {
  readonly id: PrimaryNetwork
  readonly config: NetworkConfig
  /** The store's keys of its P-, X- and C-chain. */
  readonly p: number
  readonly x: number
  readonly c: number
}

/** One of the chains of a network. */
export type ServedChain = ServedNetwork & { readonly alias: PrimaryChainAlias; readonly key: number }

/** The network of a path. Throws a 404 for one that is not configured. */
export function findNetwork(config: Config, name: string): ServedNetwork {
  const id: PrimaryNetwork = name === 'mainnet' ? 'mainnet' : 'fuji'
  const found = config.networks.find((network) => network.id === id)
  if (!found) throw notFound(`network ${name} is not served here`)
  return {
    id,
    config: found,
    p: primaryChainKey(id, 'p-chain'),
    x: primaryChainKey(id, 'x-chain'),
    c: primaryChainKey(id, 'c-chain'),
  }
}

/** The chain of a path (interface.md, Conventions). Throws a 404 for an id of the other network. */
export function findPrimaryChain(config: Config, name: string, blockchainId: string): ServedChain {
  const network = findNetwork(config, name)
  const named = primaryChainNamed(blockchainId)
  if (named.network !== undefined && named.network !== network.id) {
    throw notFound(`blockchain ${blockchainId} belongs to ${named.network}, not to ${network.id}`)
  }
  return { ...network, alias: named.alias, key: primaryChainKey(network.id, named.alias) }
}

/** ChainInfo of an answer. */
export const chainInfoOf = ({ alias, id }: ServedChain): { chainName: string; network: string } => ({
  chainName: alias,
  network: id,
})

/** Bytes as the texts of one network; those that come again are worked out once. */
export class Texts {
  readonly #prefix: string
  readonly #ids = new Map<string, string>()
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** 32 bytes in cb58. */
  id(bytes: Uint8Array): string {
    const key = Buffer.from(bytes).toString('latin1')
    let text = this.#ids.get(key)
    if (text === undefined) {
      text = cb58(bytes)
      this.#ids.set(key, text)
    }
    return text
  }

  /** An optional id as a field of an answer. */
  optional<Name extends string>(name: Name, bytes: Uint8Array | null): { [Key in Name]?: string } {
    return (bytes === null ? {} : { [name]: this.id(bytes) }) as { [Key in Name]?: string }
  }

  node(bytes: Uint8Array): string {
    return nodeIdText(bytes)
  }

  address(bytes: Uint8Array): string {
    return addressText(bytes, this.#prefix)
  }

  addresses(list: readonly Uint8Array[]): string[] {
    return list.map((bytes) => this.address(bytes))
  }

  /** The id of a block: 0x text on the C-chain. */
  block(alias: PrimaryChainAlias, bytes: Uint8Array): string {
    return alias === 'c-chain' ? hexText(bytes) : this.id(bytes)
  }
}

/** Parses a value of a query or a path; a text of a wrong form is a 400 that names the field. */
function parsed<Value>(field: string, text: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (error instanceof TextFormError) throw badRequest([`${field}: ${text.slice(0, 64)}: ${error.message}`])
    throw error
  }
}

/** The 32 bytes of an id of a request. Throws a 400. */
export const idOf = (field: string, text: string): Buffer =>
  Buffer.from(parsed(field, text, () => idOfText(text)))

/** The 20 bytes of a node id of a request. Throws a 400. */
export const nodeOf = (field: string, text: string): Buffer =>
  Buffer.from(parsed(field, text, () => nodeIdOfText(text)))

/**
 * The 20 bytes of each address of a request, each once: bech32 with the network's prefix, with or without
 * `P-` or `X-`, and 0x on the C-chain alone (interface.md, Primary network operations, rule 1). Throws a 400.
 */
export function addressesOf(network: ServedNetwork, texts: readonly string[], takesHex = false): Buffer[] {
  const found = new Map<string, Buffer>()
  for (const text of texts) {
    if (text.startsWith('0x')) {
      if (!takesHex) throw badRequest(['addresses: 0x addresses are supported on the C-chain only'])
      found.set(text.slice(2).toLowerCase(), Buffer.from(text.slice(2), 'hex'))
      continue
    }
    const bytes = parsed('addresses', text, () => Buffer.from(addressOfText(text, network.config.prefix)))
    found.set(bytes.toString('hex'), bytes)
  }
  return [...found.values()]
}

/** What answers about a network need beside their rows: texts, chain ids, AVAX, the heads. */
export type NetworkView = {
  readonly network: ServedNetwork
  readonly texts: Texts
  readonly avax: Buffer | undefined
  standing(key: number): StandingRow | undefined
  /** The id of a chain by its key, as text. */
  chainId(key: number): string
  /** The alias of the chain that an id stands for, where it is one of the three. */
  aliasOf(blockchainId: Uint8Array): PrimaryChainAlias | undefined
}

/** Reads how the network's chains stand. */
export async function openView(database: Queryable, network: ServedNetwork): Promise<NetworkView> {
  const rows = await readStanding(database, [network.p, network.x, network.c])
  const texts = new Texts(network.config.prefix)
  const standing = (key: number): StandingRow | undefined => rows.find((row) => row.chain === key)
  const chainId = (key: number): string => {
    const row = standing(key)
    return row?.blockchain_id ? texts.id(row.blockchain_id) : knownChainId(key)
  }
  return {
    network,
    texts,
    avax: rows.find((row) => row.avax_asset !== null)?.avax_asset ?? undefined,
    standing,
    chainId,
    aliasOf(blockchainId) {
      const text = texts.id(blockchainId)
      return primaryChainAliases.find((alias) => chainId(primaryChainKey(network.id, alias)) === text)
    },
  }
}

/** The id that a chain has on the networks of hosted.md; a chain of another network says its own. */
function knownChainId(key: number): string {
  const { network, alias } = primaryChainOf(key)
  if (alias === 'p-chain') return primaryChainIds.p
  return alias === 'x-chain' ? primaryChainIds.x[network] : primaryChainIds.c[network]
}

/** The chain time of the network: Unix seconds of the P-chain's head; 0 before its first block. */
export const chainTime = (view: NetworkView): number => Number(view.standing(view.network.p)?.head_ts ?? 0n)

type AssetFacts = {
  readonly assetId: string
  readonly name: string
  readonly symbol: string
  readonly denomination: number
}

/** Amounts with the name of their asset. */
export class AssetBook {
  readonly #known: ReadonlyMap<string, AssetRow>
  readonly #view: NetworkView
  constructor(view: NetworkView, rows: readonly AssetRow[]) {
    this.#view = view
    this.#known = new Map(rows.map((row) => [row.asset.toString('hex'), row]))
  }

  /** AVAX has its name before the X-chain is indexed; another asset is then known by its id alone. */
  facts(asset: Buffer): AssetFacts {
    const row = this.row(asset)
    const assetId = this.#view.texts.id(asset)
    if (row) return { assetId, name: row.name, symbol: row.symbol, denomination: row.denomination }
    if (this.#view.avax?.equals(asset) === true) {
      return { assetId, name: 'Avalanche', symbol: 'AVAX', denomination: 9 }
    }
    return { assetId, name: assetId, symbol: '', denomination: 0 }
  }

  /** What the store says of an asset; undefined where no chain has made it yet. */
  row(asset: Buffer): AssetRow | undefined {
    return this.#known.get(asset.toString('hex'))
  }

  /** An amount, in the asset's smallest unit. */
  amount(asset: Buffer, amount: string, isNft = false): AssetAmount {
    return { ...this.facts(asset), type: isNft ? 'nft' : 'secp256k1', amount }
  }
}

/** Reads the names of assets, each once. */
export async function openAssets(
  database: Queryable,
  view: NetworkView,
  assets: readonly Buffer[],
): Promise<AssetBook> {
  const each = new Map(assets.map((asset) => [asset.toString('hex'), asset]))
  return new AssetBook(view, each.size === 0 ? [] : await readAssets(database, [...each.values()]))
}
