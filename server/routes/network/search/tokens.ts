import type { Chain } from '../../../kernel/settings/chains.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import type { NameHit } from '../../../store/network/read-search-names.ts'
import { reputationOf } from '../../../tokens/facts/reputation.ts'
import type { ContractBook } from '../../evm/address-names.ts'
import type { Found } from './rank.ts'

/** The fields of a result that say where it is. */
export const placeOf = (chain: Chain): Pick<Found, 'chainId' | 'chainName'> => ({
  chainId: chain.id,
  chainName: chain.config.name,
})

const joined = (parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' · ')

/** "1 holder", "1,234 holders". */
const holdersText = (holders: bigint | null): string | null =>
  holders === null ? null : `${holders.toLocaleString('en')} ${holders === 1n ? 'holder' : 'holders'}`

/** A token as a result: its name, its symbol, standard and holders, and whether it is called malicious. */
export function tokenResult(
  config: Pick<Config, 'tokens'>,
  book: ContractBook,
  chain: Chain,
  hit: NameHit,
): Found {
  const id = `0x${hit.token.toString('hex')}`
  const name = book.of(chain.id, id)?.name ?? hit.name
  const { tokenReputation } = reputationOf(config, chain.id, id, hit)
  return {
    ...placeOf(chain),
    kind: 'token',
    id,
    title: name ?? hit.symbol ?? id,
    detail: joined([
      name !== null && hit.symbol,
      hit.kind !== null && `ERC-${hit.kind}`,
      holdersText(hit.holders),
      (name ?? hit.symbol) !== null && id,
    ]),
    ...(tokenReputation === 'Malicious' && { tokenReputation }),
  }
}
