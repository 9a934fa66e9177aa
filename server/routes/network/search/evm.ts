import { hexRange } from '../../../../protocol/ids/prefix.ts'
import { ifKnown, soon } from '../../../node/state.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import {
  findAddress,
  findBlocksByHash,
  findBlocksByNumber,
  findTransactions,
  type BlockHit,
} from '../../../store/network/read-search.ts'
import { findTokenFacts } from '../../../store/network/read-search-names.ts'
import { findAddresses, findHashes } from '../../../store/network/read-search-prefix.ts'
import { unindexedNamed } from '../../evm/unindexed.ts'
import { readEach, tokenHit, type NameContext } from './names.ts'
import { transactionsText, type Hit } from './rank.ts'
import { placeOf } from './tokens.ts'

const hashDigits = 64
const addressDigits = 40
/** Minimum number of digits of a hash or address that find it. */
const minDigits = 6

/** Blocks, transactions and addresses of the chains by a height, a hash, an address, or the beginning of one. */
export async function searchChains(
  context: NameContext,
  chains: readonly Chain[],
  text: string,
): Promise<Hit[]> {
  const { database } = context
  const keys = chains.map((chain) => chain.key)
  const height = text.replaceAll(/[,_ ]/g, '')
  if (/^\d{1,16}$/.test(height)) {
    const found = await readEach(context, keys, (scope) =>
      findBlocksByNumber(database, scope, BigInt(height)),
    )
    return found.length > 0 ? blockHits(chains, found) : unindexedHits(context, chains, height)
  }
  const digits = /^(?:0x)?([0-9a-f]+)$/i.exec(text)?.[1]?.toLowerCase() ?? ''
  if (digits.length === hashDigits) return hashHits(context, chains, digits)
  if (digits.length === addressDigits) return addressHits(context, chains, digits)
  if (digits.length < minDigits || digits.length > hashDigits) return []
  return prefixHits(context, chains, digits)
}

const each = (chains: readonly Chain[], key: bigint): Chain[] => chains.filter((chain) => chain.key === key)

async function hashHits(context: NameContext, chains: readonly Chain[], digits: string): Promise<Hit[]> {
  const { database } = context
  const keys = chains.map((chain) => chain.key)
  const bytes = Buffer.from(digits, 'hex')
  const [blocks, transactions] = await Promise.all([
    readEach(context, keys, (scope) => findBlocksByHash(database, scope, bytes)),
    readEach(context, keys, (scope) => findTransactions(database, scope, bytes)),
  ])
  if (blocks.length === 0 && transactions.length === 0) return unindexedHits(context, chains, `0x${digits}`)
  return [
    ...transactions.flatMap((hit) =>
      each(chains, hit.chain).map((chain) =>
        transactionHit(chain, `0x${digits}`, `In block ${hit.number}`, 'exact'),
      ),
    ),
    ...blockHits(chains, blocks),
  ]
}

/** The most nodes that are asked for what no index has. */
const maxAsked = 8

/** What the nodes have under a height or a hash that no chain's index has. */
async function unindexedHits(context: NameContext, chains: readonly Chain[], id: string): Promise<Hit[]> {
  const found = await Promise.all(
    chains.slice(0, maxAsked).map(async (chain): Promise<Hit[]> => {
      const named = await ifKnown(soon(unindexedNamed(context.nodes.of(chain), id)))
      if (!named) return []
      const { kind, number } = named
      return kind === 'block'
        ? [blockHit(chain, number, 'Not indexed', 'exact')]
        : [transactionHit(chain, id, `In block ${number}, which is not indexed`, 'exact')]
    }),
  )
  return found.flat()
}

const transactionHit = (chain: Chain, id: string, detail: string, match: Hit['match']): Hit => ({
  match,
  result: { ...placeOf(chain), kind: 'transaction', id, title: id, detail },
})

const blockHit = (chain: Chain, number: bigint, detail: string, match: Hit['match']): Hit => ({
  match,
  result: { ...placeOf(chain), kind: 'block', id: number.toString(), title: `Block ${number}`, detail },
})

function blockHits(chains: readonly Chain[], hits: readonly BlockHit[]): Hit[] {
  return hits.flatMap(({ chain: key, number, hash, tx_count: count }) =>
    each(chains, key).map((chain) => blockHit(chain, number, `${transactionsText(count)}, ${hash}`, 'exact')),
  )
}

/** An address on a chain, and whether it is a contract there. */
type Place = { readonly chain: bigint; readonly address: Buffer; readonly contract: boolean }

/**
 * Chains on which the address is known: only those on which it is a contract, if there are any, since its owner
 * has no key elsewhere. If it is known nowhere, every chain, because it may be used later.
 */
async function addressHits(context: NameContext, chains: readonly Chain[], digits: string): Promise<Hit[]> {
  const address = Buffer.from(digits, 'hex')
  const keys = chains.map((chain) => chain.key)
  const hits = await readEach(context, keys, (scope) => findAddress(context.database, scope, address))
  const known = hits.filter((hit) => hit.contract || hit.seen)
  const found = await describe(
    context,
    chains,
    (known.length > 0 ? known : hits).map(({ chain, contract }) => ({ chain, contract, address })),
    'exact',
  )
  const contracts = found.filter(({ result }) => result.kind !== 'address')
  if (contracts.length > 0) return contracts
  if (known.length > 0 || context.lost.size > 0) return found
  return found.map((hit) => ({
    ...hit,
    result: { ...hit.result, detail: 'Not active in any indexed block' },
  }))
}

/** Addresses as results: tokens by their name, contracts by the operator's name for them. */
async function describe(
  context: NameContext,
  chains: readonly Chain[],
  places: readonly Place[],
  match: Hit['match'],
): Promise<Hit[]> {
  const { config, book, database } = context
  const facts = await readEach(
    context,
    places.map(({ chain }) => chain),
    (scope) => findTokenFacts(database, scope, places),
  )
  return places.flatMap(({ chain: key, address, contract }) =>
    each(chains, key).map((chain): Hit => {
      const token = facts.find((hit) => hit.chain === key && hit.token.equals(address))
      if (token) return tokenHit(config, book, chain, token, match)
      const id = `0x${address.toString('hex')}`
      const name = book.of(chain.id, id)?.name
      return {
        match,
        result: {
          ...placeOf(chain),
          kind: contract || name !== undefined ? 'contract' : 'address',
          id,
          title: name ?? id,
          ...(name !== undefined && { detail: id }),
        },
      }
    }),
  )
}

async function prefixHits(context: NameContext, chains: readonly Chain[], digits: string): Promise<Hit[]> {
  const { database } = context
  const keys = chains.map((chain) => chain.key)
  const [hashes, addresses] = await Promise.all([
    readEach(context, keys, (scope) => findHashes(database, scope, hexRange(digits, hashDigits / 2))),
    digits.length < addressDigits
      ? readEach(context, keys, (scope) =>
          findAddresses(database, scope, hexRange(digits, addressDigits / 2)),
        )
      : Promise.resolve([]),
  ])
  return [
    ...(await describe(context, chains, addresses, 'prefix')),
    ...hashes.flatMap((hit) =>
      each(chains, hit.chain).map((chain): Hit => {
        const hash = `0x${hit.hash.toString('hex')}`
        return hit.kind === 'transaction'
          ? transactionHit(chain, hash, `In block ${hit.number}`, 'prefix')
          : blockHit(chain, hit.number, hash, 'prefix')
      }),
    ),
  ]
}
