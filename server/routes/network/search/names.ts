import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../../kernel/settings/chains.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { readChains, type ChainScope } from '../../../store/chain-reads.ts'
import type { Nodes } from '../../../node/nodes.ts'
import type { Database } from '../../../store/database.ts'
import { findTokenFacts, type NameHit } from '../../../store/network/read-search-names.ts'
import { readLabelsNamed } from '../../../store/evm/address-labels.ts'
import { readVerifiedNamed, readVerifiedWithItem } from '../../../store/evm/contracts/verified-contracts.ts'
import { readStoredAbi } from '../../../tokens/abi/stored.ts'
import type { ContractBook } from '../../evm/address-names.ts'
import { bestMatch, folded } from './match.ts'
import type { Hit } from './rank.ts'
import { findTokensNamed } from './token-names.ts'
import { placeOf, tokenResult } from './tokens.ts'

/** The most contracts of the operator that are found by a name. */
const maxContracts = 20
/** Maximum length of a name that is searched, as long as the indexes have it. */
const maxText = 64

/** What searches by name need. */
export type NameContext = {
  readonly config: Config
  readonly book: ContractBook
  readonly database: Database
  readonly nodes: Nodes
  readonly logger: FastifyBaseLogger
  /** The chains that could not be searched. */
  readonly lost: Set<bigint>
}

/** Reads the chains; those whose server is lost are noted. */
export const readEach = <Row>(
  { database, lost }: NameContext,
  chains: Iterable<bigint>,
  read: (scope: ChainScope) => Promise<readonly Row[]>,
): Promise<Row[]> => readChains(database, [...new Set(chains)], read, (chain) => lost.add(chain))

/** Chains, tokens and contracts of the chains by a name or a symbol. */
export async function searchNames(
  context: NameContext,
  chains: readonly Chain[],
  text: string,
): Promise<Hit[]> {
  const wanted = folded(text).slice(0, maxText)
  // PostgreSQL text cannot contain NUL, so no name matches.
  if (wanted === '' || wanted.includes('\0')) return []
  return [
    ...chains.flatMap((chain) => chainNamed(chain, text, wanted)),
    ...(await contractsNamed(context, chains, wanted)),
    ...(await labelled(context, chains, wanted)),
    ...(await verifiedNamed(context, chains, wanted)),
    ...(await verifiedWith(context, chains, wanted)),
    ...(await tokensNamed(context, chains, wanted)),
  ]
}

function chainNamed(chain: Chain, text: string, wanted: string): Hit[] {
  const { name, token, blockchainId, subnetId } = chain.config
  const isId = chain.id === text || blockchainId === text || subnetId === text
  const match = isId ? 'exact' : bestMatch(wanted, [name])
  const hasToken = folded(token.symbol) === wanted || folded(token.name) === wanted
  if (match === undefined && !hasToken) return []
  return [{ match: match ?? 'word', result: chainResult(chain) }]
}

/** An EVM chain as a result. */
export const chainResult = (chain: Chain): Hit['result'] => ({
  ...placeOf(chain),
  kind: 'chain',
  id: chain.id,
  title: chain.config.name,
  detail: `Chain ID ${chain.id}`,
})

/** Contracts by the name that the operator gave them. */
async function contractsNamed(
  context: NameContext,
  chains: readonly Chain[],
  wanted: string,
): Promise<Hit[]> {
  const { config, book, database } = context
  const found = config.contracts.flatMap((entry) => {
    const chain = chains.find(({ id }) => id === String(entry.chainId))
    const match = bestMatch(wanted, [entry.name])
    return chain && match ? [{ chain, match, entry }] : []
  })
  const kept = found.slice(0, maxContracts)
  const places = kept.map(({ chain, entry }) => ({
    chain: chain.key,
    address: Buffer.from(entry.address.slice(2), 'hex'),
  }))
  const facts = await readEach(
    context,
    places.map(({ chain }) => chain),
    (scope) => findTokenFacts(database, scope, places),
  )
  return kept.map(({ chain, match, entry }) => {
    const token = facts.find(
      (hit) => hit.chain === chain.key && `0x${hit.token.toString('hex')}` === entry.address,
    )
    if (token) return tokenHit(config, book, chain, token, match)
    return {
      match,
      result: {
        ...placeOf(chain),
        kind: 'contract',
        id: entry.address,
        title: entry.name ?? entry.address,
        detail: entry.address,
      },
    }
  })
}

/** Addresses by their labels, with who gave them. */
async function labelled({ database }: NameContext, chains: readonly Chain[], wanted: string): Promise<Hit[]> {
  const rows = await readLabelsNamed(
    database,
    chains.map(({ key }) => key),
    wanted,
    maxContracts,
  )
  return rows.flatMap(({ chain: key, address, name, abi, given_by: by }) => {
    const chain = chains.find((each) => each.key === key)
    const match = name === null ? undefined : bestMatch(wanted, [name])
    if (!chain || name === null || !match) return []
    const id = `0x${address.toString('hex')}`
    const result = {
      ...placeOf(chain),
      kind: abi === null ? 'address' : 'contract',
      id,
      title: name,
    } as const
    return [{ match, result: { ...result, detail: `a label by ${by}, ${id}` } }]
  })
}

/** Contracts by the name in their verified source, which proves nothing about who they are of: the result says so. */
async function verifiedNamed(
  { database }: NameContext,
  chains: readonly Chain[],
  wanted: string,
): Promise<Hit[]> {
  const rows = await readVerifiedNamed(
    database,
    chains.map(({ key }) => key),
    wanted,
    maxContracts,
  )
  return rows.flatMap((row) => {
    const chain = chains.find(({ key }) => key === row.chain)
    const match = bestMatch(wanted, [row.name])
    if (!chain || !match) return []
    const address = `0x${Buffer.from(row.address).toString('hex')}`
    return [
      {
        match,
        result: {
          ...placeOf(chain),
          kind: 'contract',
          id: address,
          title: row.name,
          detail: `by its verified source, ${address}`,
        },
      },
    ]
  })
}

/** Verified contracts by the name, or the signature, of a function, event or error that they have. */
async function verifiedWith(
  { database }: NameContext,
  chains: readonly Chain[],
  wanted: string,
): Promise<Hit[]> {
  const [, item, types] = /^([a-z_$][\w$]*)(\([^()]*(?:\([^()]*\)[^()]*)*\))?$/.exec(wanted) ?? []
  if (item === undefined) return []
  const rows = await readVerifiedWithItem(
    database,
    chains.map(({ key }) => key),
    item,
    maxContracts,
  )
  return rows.flatMap((row) => {
    const chain = chains.find(({ key }) => key === row.chain)
    const known = readStoredAbi('source', row)
    const items = [
      ...known.functions.values(),
      ...[...known.events.values()].flat(),
      ...known.errors.values(),
    ]
    const found = items.find(
      ({ item: { name }, signature }) =>
        name.toLowerCase() === item && (types === undefined || signature.toLowerCase() === `${item}${types}`),
    )
    if (!chain || !found) return []
    const id = `0x${row.address.toString('hex')}`
    const detail = `has the ${found.item.type} ${found.signature}, ${id}`
    const result = { ...placeOf(chain), kind: 'contract', id, title: row.name, detail } as const
    return [{ match: 'word', result }]
  })
}

/** Tokens by name or symbol. */
async function tokensNamed(
  { config, book, database, logger, lost }: NameContext,
  chains: readonly Chain[],
  wanted: string,
): Promise<Hit[]> {
  const keys = chains.map(({ key }) => key)
  const found = await findTokensNamed(database, logger, keys, wanted, (chain) => lost.add(chain))
  return found.flatMap(({ hit, match }) => {
    const chain = chains.find(({ key }) => key === hit.chain)
    return chain ? [tokenHit(config, book, chain, hit, match)] : []
  })
}

/** A token as a hit. */
export const tokenHit = (
  config: Config,
  book: ContractBook,
  chain: Chain,
  hit: NameHit,
  match: Hit['match'],
): Hit => ({
  match,
  result: tokenResult(config, book, chain, hit),
  ...(hit.holders !== null && { holders: hit.holders }),
})
