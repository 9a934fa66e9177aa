import type { Database } from '../../server/store/database.ts'
import { fillTables } from '../support/filling.ts'

/** Increment when the generated rows change: rows of an earlier run are reused only with the same version. */
export const nameRowsVersion = 1

/** The chain under which generated names are stored. */
export const nameChain = 161_803n
export const nameCount = 1_000_000

/** Words of token names, most frequent first: the n-th is drawn about 1/n as often as the first. */
const nameWords = (
  'token usd finance dollar protocol inu moon coin swap staked wrapped doge gold liquid bridged pepe yield ' +
  'governance vault meme shiba reward dao network baby elon capital game world galaxy chain star labs cat ' +
  'rocket bull bear diamond hands safe green energy carbon credit market real estate share index stable ' +
  'harbor meridian summit ridge canyon glacier valley river forest desert ocean island mountain prairie ' +
  'lantern compass anchor beacon voyage horizon zenith aurora comet nebula quasar pulsar photon quantum ' +
  'falcon eagle tiger dragon phoenix wolf panther cobra raven orca marlin heron otter badger bison lynx'
).split(' ')

const quoted = (words: readonly string[]): string => `array['${words.join("','")}']`

/** A word by its rank: the square makes early words more frequent. */
const drawn = (salt: string): string =>
  `initcap((${quoted(nameWords)})[1 + floor(power((hashint8(n * 7919 + ${salt})::bigint & 65535) / 65536.0, 2.5) * ${nameWords.length})::int])`

/**
 * Fills an empty, migrated database with a million token contracts: two common words, and in four of ten names a
 * third of six letters that hardly repeats; symbols of three to six letters, one in four of them USDC or SUSD;
 * every hundredth token is called malicious.
 */
export async function fillNameRows(sql: Database): Promise<void> {
  await fillTables(
    sql,
    ['chains', 'tokens', 'token_facts', 'name_words', 'name_tails'],
    [
      `insert into chains (chain, genesis_hash, start_block, state)
       values (${nameChain}, sha256('genesis'), 0, 'live')`,
      `insert into tokens (chain, token, kind, first_block)
       select ${nameChain}, substring(sha256(int8send(n)) from 1 for 20), 20, n
       from generate_series(1, ${nameCount}::bigint) n`,
      `insert into token_facts (chain, token, name, symbol, decimals, reputation, asked_block, asked_ts, due_ts)
       select ${nameChain}, substring(sha256(int8send(n)) from 1 for 20),
         ${drawn('1')} || ' ' || ${drawn('2')} || case when n % 10 < 4
           then ' ' || initcap(translate(left(md5(n::text), 6), '0123456789', 'ghijklmnop')) else '' end,
         case when n % 8 = 0 then 'USDC' when n % 8 = 1 then 'SUSD'
           else upper(translate(left(md5((n + 1)::text), (3 + n % 4)::int), '0123456789', 'ghijklmnop')) end,
         18, case when n % 100 = 0 then 'Malicious' end, 1, 1, 1
       from generate_series(1, ${nameCount}::bigint) n`,
    ],
  )
}
