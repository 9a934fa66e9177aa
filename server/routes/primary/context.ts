import type { AssetAmount } from '../../../contract/primary/fields.ts'
import {
  primaryChainAliases,
  primaryChainIds,
  type PrimaryChainAlias,
} from '../../../contract/primary/chains.ts'
import { primaryChainKey, primaryChainOf } from '../../primary/chains.ts'
import type { ServedNetwork } from '../../primary/served-network.ts'
import { Texts } from '../../primary/texts.ts'
import type { Queryable } from '../../store/database.ts'
import {
  readAssets,
  readPrimaryStatus,
  type AssetRow,
  type PrimaryStatusRow,
} from '../../store/primary/read-primary.ts'

/** The data of a network that answers need besides their rows: texts, chain ids, AVAX, heads. */
export type NetworkView = {
  readonly network: ServedNetwork
  readonly texts: Texts
  readonly avax: Buffer | undefined
  statusOf(key: number): PrimaryStatusRow | undefined
  /** The id of a chain by its key, as text. */
  chainId(key: number): string
  /** The alias of the chain with an id, if it is one of the three. */
  aliasOf(blockchainId: Uint8Array): PrimaryChainAlias | undefined
}

/** Reads the state of the network's chains. */
export async function openView(database: Queryable, network: ServedNetwork): Promise<NetworkView> {
  const rows = await readPrimaryStatus(database, [network.p, network.x, network.c])
  const texts = new Texts(network.config.prefix)
  const statusOf = (key: number): PrimaryStatusRow | undefined => rows.find((row) => row.chain === key)
  const chainId = (key: number): string => {
    const row = statusOf(key)
    return row?.blockchain_id ? texts.id(row.blockchain_id) : knownChainId(key)
  }
  return {
    network,
    texts,
    avax: rows.find((row) => row.avax_asset !== null)?.avax_asset ?? undefined,
    statusOf,
    chainId,
    aliasOf(blockchainId) {
      const text = texts.id(blockchainId)
      return primaryChainAliases.find((alias) => chainId(primaryChainKey(network.id, alias)) === text)
    },
  }
}

/**
 * The id of a chain on the networks of the hosted API; on other networks, the id comes from the chain itself.
 */
function knownChainId(key: number): string {
  const { network, alias } = primaryChainOf(key)
  if (alias === 'p-chain') return primaryChainIds.p
  return alias === 'x-chain' ? primaryChainIds.x[network] : primaryChainIds.c[network]
}

/** The chain time of the network: Unix seconds of the P-Chain's head; 0 before its first block. */
export const chainTime = (view: NetworkView): number => Number(view.statusOf(view.network.p)?.head_ts ?? 0n)

type AssetFacts = {
  readonly assetId: string
  readonly name: string
  readonly symbol: string
  readonly denomination: number
}

/** Formats amounts with the name of their asset. */
export class AssetBook {
  readonly #known: ReadonlyMap<string, AssetRow>
  readonly #view: NetworkView
  constructor(view: NetworkView, rows: readonly AssetRow[]) {
    this.#view = view
    this.#known = new Map(rows.map((row) => [row.asset.toString('hex'), row]))
  }

  /** AVAX has its name even before the X-Chain is indexed; other assets then have only their id. */
  facts(asset: Buffer): AssetFacts {
    const row = this.row(asset)
    const assetId = this.#view.texts.id(asset)
    if (row) return { assetId, name: row.name, symbol: row.symbol, denomination: row.denomination }
    if (this.#view.avax?.equals(asset) === true) {
      return { assetId, name: 'Avalanche', symbol: 'AVAX', denomination: 9 }
    }
    return { assetId, name: assetId, symbol: '', denomination: 0 }
  }

  /** The stored properties of an asset; undefined before any chain has created it. */
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
