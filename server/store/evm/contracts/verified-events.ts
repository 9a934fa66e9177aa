import { z } from 'zod'
import { bytes, query, queryOne } from '../../read.ts'
import { bytesList, numberList, textList } from '../../sql-literals.ts'
import { powerLogs, powerTopic } from './power-logs.ts'

/** Changes with every contract that is verified or labelled with an ABI. */
export const readAbiEdition = queryOne(
  z.strictObject({ edition: z.string() }),
  () => [
    `select (select count(*) || ' ' || coalesce(max(verified_ts), 0) from verified_contracts) || ' ' ||
       (select count(*) || ' ' || coalesce(max(given_ts), 0) from address_labels where abi is not null) as edition`,
    [],
  ],
  (row) => row?.edition ?? '',
)

/** The most distinct ABIs of verified contracts whose events are told. */
const maxAbis = 300

const source = z.strictObject({ name: z.string(), abi: z.string(), edition: z.string() })

/**
 * The newest ABIs of the verified contracts of chains, each once, in the order in which they were first verified; `edition`
 * tells those of one name apart.
 */
export const readVerifiedSources = query(source, (chains: readonly bigint[]) => [
  `select name, abi, md5(abi) as edition from (
     select name, abi, min(verified_ts) as first_ts from verified_contracts
     where chain = any ($1::text::bigint[]) group by name, abi order by max(verified_ts) desc limit ${maxAbis}) newest
   order by first_ts, name, md5(abi)`,
  [numberList(chains)],
])

const place = z.strictObject({ chain: z.bigint(), address: bytes })
/** A contract of a chain. */
type ContractPlace = Readonly<z.output<typeof place>>

/**
 * The contracts of chains that have one of the verified ABIs of a name: those that were verified, and those with the same
 * code. At most `limit`.
 */
export const readContractsOfSource = query(
  place,
  (chains: readonly bigint[], name: string, editions: readonly string[], limit: number) => [
    `with sources as materialized (
       select chain, address, code_hash from verified_contracts
       where name = $2 and md5(abi) = any ($3::text::text[])),
     own as materialized (
       select chain, address from sources
       union
       select chain, address from contract_codes where code_hash in (select code_hash from sources))
     select chain, address from own where chain = any ($1::text::bigint[]) limit $4`,
    [numberList(chains), name, textList(editions), limit],
  ],
)

/** The proxies that had one of the contracts as their code by an event. At most `limit`. */
export const readProxiesOf = query(place, (contracts: readonly ContractPlace[], limit: number) =>
  contracts.length === 0
    ? undefined
    : [
        `select distinct l.chain, l.address from logs l
         join unnest($1::text::bigint[], $2::text::bytea[]) as known (chain, address)
           on l.chain = known.chain and substr(l.topic1, 13) = known.address
         where ${powerLogs} and l.topic0 = '\\x${powerTopic('upgraded')}' and length(l.topic1) = 32
         limit $3`,
        [
          numberList(contracts.map(({ chain }) => chain)),
          bytesList(contracts.map(({ address }) => address)),
          limit,
        ],
      ],
)
