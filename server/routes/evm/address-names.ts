import type { AddressParty } from '../../../contract/base/token.ts'
import type { ContractSetting } from '../../kernel/settings/abi.ts'
import { withoutNulls } from '../../kernel/without-nulls.ts'
import type { TokenTransfer } from '../../tokens/abi/token-transfers.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Queryable } from '../../store/database.ts'
import {
  nftName,
  readNftFacts,
  readTokenFacts,
  type NftFacts,
  type NftKey,
  type TokenFacts,
} from '../../store/evm/contracts/read-contract-facts.ts'
import { readLabels } from '../../store/evm/address-labels.ts'
import { readVerifiedNames } from '../../store/evm/contracts/verified-contracts.ts'

/** The operator's information about contracts, by chain and address. */
export type ContractBook = { of(chainId: string, address: string): ContractSetting | undefined }

/** Creates the book from the configuration's key `contracts`. */
export function createContractBook({ contracts }: Pick<Config, 'contracts'>): ContractBook {
  const entries = new Map(contracts.map((entry) => [`${entry.chainId} ${entry.address}`, entry]))
  return { of: (chainId, address) => entries.get(`${chainId} ${address}`) }
}

/** The `ercType` of an ERC number. */
export const ercTypeOf = (kind: number | undefined): string =>
  kind === undefined ? 'UNKNOWN' : `ERC-${kind}`

/** The known names of the addresses and NFTs on a page. Unknown values are absent. */
export type Names = {
  /** AddressParty (docs/api.md, Answers). */
  party(address: string): AddressParty
  facts(address: string): TokenFacts & { readonly logoUri?: string }
  /** What somebody who may has called it. */
  label(address: string): { readonly label?: string }
  /** The name in the verified sources of a contract that has no other. */
  sourceName(address: string): { readonly sourceName?: string }
  /** Whether it has verified sources, of its own or of the same code. */
  isVerified(address: string): boolean
  nft(key: NftKey): Partial<NftFacts>
}

/** Reads the names for a page: three seeks per distinct address, one per NFT. */
export async function readNames(
  database: Queryable,
  chain: { readonly key: bigint; readonly id: string },
  book: ContractBook,
  addresses: Iterable<string>,
  nfts: readonly NftKey[] = [],
): Promise<Names> {
  const keys = [...new Map(nfts.map((key) => [nftName(key), key])).values()]
  const asked = [...new Set(addresses)].filter((address) => address !== '')
  const [facts, metadata, sources, labels] = await Promise.all([
    readTokenFacts(database, chain.key, asked),
    readNftFacts(database, chain.key, keys),
    readVerifiedNames(database, chain.key, asked),
    readLabels(database, chain.key, asked),
  ])
  const factsOf = (address: string): TokenFacts & { readonly logoUri?: string } => {
    const said = book.of(chain.id, address)
    return {
      ...facts.get(address),
      ...(said?.name !== undefined && { name: said.name }),
      ...(said?.logoUri !== undefined && { logoUri: said.logoUri }),
    }
  }
  const sourceName: Names['sourceName'] = (address) => {
    const name = factsOf(address).name === undefined ? sources.get(address) : undefined
    return name === undefined ? {} : { sourceName: name }
  }
  const label: Names['label'] = (address) => withoutNulls({ label: labels.get(address)?.name ?? null })
  return {
    facts: factsOf,
    label,
    sourceName,
    isVerified: (address) => sources.has(address),
    party: (address) => ({ address, ...factsOf(address), ...label(address), ...sourceName(address) }),
    nft: (key) => metadata.get(nftName(key)) ?? {},
  }
}

/** Reads the names that a page's transfers need. */
export function namesOfTransfers(
  database: Queryable,
  chain: { readonly key: bigint; readonly id: string },
  book: ContractBook,
  transfers: readonly TokenTransfer[],
  others: readonly string[] = [],
): Promise<Names> {
  return readNames(
    database,
    chain,
    book,
    [...others, ...transfers.flatMap(({ token, from, to }) => [token, from, to])],
    transfers
      .filter(({ standard }) => standard !== 'ERC-20')
      .map(({ token, tokenId }) => ({ token, tokenId })),
  )
}

/** The name and symbol of a collection; its other fields differ between ids. */
export function nameOfCollection(address: string, names: Names): Pick<TokenFacts, 'name' | 'symbol'> {
  const { name, symbol } = names.facts(address)
  return { ...(name !== undefined && { name }), ...(symbol !== undefined && { symbol }) }
}

/** The common fields of all kinds of transfers (docs/api.md, Addresses). */
const movement = ({ from, to, logIndex }: TokenTransfer, names: Names) => ({
  from: names.party(from),
  to: names.party(to),
  logIndex,
})

/** The displayed fields of a transfer by kind, without its position in the chain. */
export const describeTransfer = {
  'ERC-20': (transfer: TokenTransfer, names: Names) => ({
    ...movement(transfer, names),
    value: transfer.value,
    erc20Token: { address: transfer.token, ...names.facts(transfer.token), ercType: 'ERC-20' },
  }),
  'ERC-721': (transfer: TokenTransfer, names: Names) => ({
    ...movement(transfer, names),
    erc721Token: {
      address: transfer.token,
      ...nameOfCollection(transfer.token, names),
      ercType: 'ERC-721',
      tokenId: transfer.tokenId,
      ...(transfer.lastTokenId !== undefined && { lastTokenId: transfer.lastTokenId }),
      ...names.nft(transfer),
    },
  }),
  'ERC-1155': (transfer: TokenTransfer, names: Names) => ({
    ...movement(transfer, names),
    value: transfer.value,
    erc1155Token: {
      address: transfer.token,
      ...nameOfCollection(transfer.token, names),
      ercType: 'ERC-1155',
      tokenId: transfer.tokenId,
      ...names.nft(transfer),
    },
  }),
}
