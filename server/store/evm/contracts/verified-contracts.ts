import { z } from 'zod'
import type { Queryable } from '../../database.ts'
import { bytes, query, queryOne } from '../../read.ts'
import { byteaList } from '../../sql-literals.ts'

const verifiedRow = z.strictObject({
  chain: z.bigint(),
  address: bytes,
  code_hash: bytes,
  verified_ts: z.bigint(),
  runtime_match: z.string().nullable(),
  creation_match: z.string().nullable(),
  language: z.string(),
  compiler: z.string(),
  path: z.string(),
  name: z.string(),
  sources: z.string(),
  settings: z.string(),
  abi: z.string(),
  metadata: z.string(),
  userdoc: z.string(),
  devdoc: z.string(),
  storage_layout: z.string(),
  runtime_code: z.string(),
  creation_code: z.string(),
  runtime_changes: z.string().nullable(),
  creation_changes: z.string().nullable(),
  constructor_arguments: bytes.nullable(),
  creation_tx: bytes.nullable(),
  made_by: bytes.nullable(),
  made_code: bytes.nullable(),
})
/** A verified contract with its sources; JSON is text (server/store/schema/verified-contracts.ts). */
export type VerifiedContract = Readonly<z.output<typeof verifiedRow>>

/** What a contract that another one created has of that one (server/store/schema/verified-contracts.ts). */
const shared: Readonly<Record<string, string>> = {
  sources: 'creator.sources',
  metadata: 'm.metadata',
  userdoc: 'm.userdoc',
  devdoc: 'm.devdoc',
  storage_layout: 'm.storage_layout',
  runtime_code: `m.compiled::json #>> '{runtime,object}'`,
  creation_code: `m.compiled::json #>> '{creation,object}'`,
}
const columns = Object.keys(verifiedRow.shape)
  .map((name) => (name in shared ? `coalesce(${shared[name]}, v.${name}) as ${name}` : `v.${name}`))
  .join(', ')
const whole = (rows: string): string => `
  select ${columns} from (${rows}) v
  left join made_contracts m on m.code_hash = v.made_code and m.path = v.path and m.name = v.name
  left join lateral (
    select sources from verified_contracts c where c.code_hash = v.made_code and c.made_code is null limit 1) creator
    on true`

/**
 * Keeps a verified contract: instead of an earlier result for the same code, unless that was an exact match and this one is
 * not. Returns whether it was kept.
 */
export async function keepVerified(sql: Queryable, row: VerifiedContract): Promise<boolean> {
  const { chain, address, code_hash, ...told } = row
  const values = { ...told, item_names: itemNames(row.abi) }
  const kept = await sql`
    insert into verified_contracts ${sql({ chain, address, code_hash, ...values })}
    on conflict (chain, address, code_hash) do update set ${sql(values)}
    where coalesce(verified_contracts.runtime_match, verified_contracts.creation_match) <> 'exact_match'
      or 'exact_match' in (${row.runtime_match}, ${row.creation_match})
    returning 1`
  return kept.length > 0
}

const namedItems = z.array(z.object({ name: z.string().optional() }))

const itemNames = (abi: string): string[] => [
  ...new Set(namedItems.parse(JSON.parse(abi)).flatMap(({ name }) => name?.toLowerCase() ?? [])),
]

/** The newest result for an address; with `codeHash`, only for that code. */
export const readVerified = queryOne(
  verifiedRow,
  (chain: bigint, address: Buffer, codeHash: Buffer | null = null) => [
    whole(
      `select * from verified_contracts where chain = $1 and address = $2 and ($3::bytea is null or code_hash = $3)
       order by verified_ts desc limit 1`,
    ),
    [chain, address, codeHash],
  ],
)

/** The first verified contract with a code, on any chain, its own chain before others. */
export const readVerifiedByCode = queryOne(verifiedRow, (chain: bigint, codeHash: Buffer) => [
  whole(
    `select * from verified_contracts where code_hash = $2 order by chain <> $1, verified_ts, address limit 1`,
  ),
  [chain, codeHash],
])

/** Whether a code is that of a verified contract. */
export const readIsVerifiedCode = queryOne(
  z.strictObject({ found: z.literal(true) }),
  (codeHash: Buffer) => [
    `select true as found from verified_contracts where code_hash = $1 limit 1`,
    [codeHash],
  ],
  (row) => row !== undefined,
)

/**
 * Contracts of a chain whose own sources were given, the newest first, those behind a time and an address; `limit` is at
 * most 200. What they created comes with them.
 */
export const readVerifiedOfChain = query(
  verifiedRow.pick({
    chain: true,
    address: true,
    code_hash: true,
    verified_ts: true,
    runtime_match: true,
    creation_match: true,
    name: true,
  }),
  (chain: bigint, after: { readonly ts: bigint; readonly address: Buffer }, limit: number) => [
    `select chain, address, code_hash, verified_ts, runtime_match, creation_match, name from verified_contracts
     where chain = $1 and made_by is null and (verified_ts < $2 or (verified_ts = $2 and address > $3))
     order by verified_ts desc, address limit $4`,
    [chain, after.ts, after.address, limit],
  ],
)

const namedRow = verifiedRow.pick({ chain: true, address: true, name: true })

/** Verified contracts of chains whose name begins with a text (lower case), by name; `limit` is at most 100. */
export const readVerifiedNamed = query(namedRow, (chains: readonly bigint[], text: string, limit: number) => [
  `select distinct on (lower(left(name, 64)), chain, address) chain, address, name from verified_contracts
   where lower(left(name, 64)) ~>=~ $2 and lower(left(name, 64)) ~<~ ($2 || chr(1114111))
     and chain = any ($1::text::bigint[])
   order by lower(left(name, 64)), chain, address, verified_ts desc limit $3`,
  [`{${chains.join(',')}}`, text, limit],
])

const withItemRow = verifiedRow.pick({ chain: true, address: true, name: true, abi: true })

/** Verified contracts of chains with a function, event or error of a name (lower case), one of each ABI; at most `limit`. */
export const readVerifiedWithItem = query(
  withItemRow,
  (chains: readonly bigint[], name: string, limit: number) => [
    `select distinct on (name, md5(abi)) chain, address, name, abi from verified_contracts
     where item_names @> array[$2::text] and chain = any ($1::text::bigint[])
     order by name, md5(abi), verified_ts, address limit $3`,
    [`{${chains.join(',')}}`, name, limit],
  ],
)

/** Whether both codes of a contract fit its sources exactly: nothing is left to check. */
export const isWhollyExact = (
  row: Pick<VerifiedContract, 'runtime_match' | 'creation_match'> | undefined,
): boolean => row?.runtime_match === 'exact_match' && row.creation_match === 'exact_match'

/**
 * The columns of the verified sources that each of the addresses has: its own newest ones, else those of the same code,
 * of its own chain before others.
 */
const sourcesOf = (columns: string): string => `
  select asked.address, ${columns}
  from unnest($2::text::bytea[]) as asked (address)
  left join lateral (
    select code_hash from contract_codes where chain = $1 and address = asked.address limit 1) k on true
  cross join lateral (
    select s.name, s.abi from verified_contracts s
    where (s.chain = $1 and s.address = asked.address) or s.code_hash = k.code_hash
    order by s.chain = $1 and s.address = asked.address desc, s.chain = $1 desc,
      case when s.address = asked.address then - s.verified_ts else s.verified_ts end, s.address
    limit 1) v`

const abiRow = verifiedRow.pick({ address: true, name: true, abi: true })

/** The ABIs of those addresses that are verified, or have the same code as a verified contract. */
export const readVerifiedAbis = query(abiRow, (chain: bigint, addresses: readonly string[]) =>
  addresses.length === 0 ? undefined : [sourcesOf('v.name, v.abi'), [chain, byteaList(addresses)]],
)

const nameRow = verifiedRow.pick({ address: true, name: true })

/** The names that those addresses have in their verified sources, or in those of the same code, by 0x text. */
export const readVerifiedNames = query(
  nameRow,
  (chain: bigint, addresses: readonly string[]) =>
    addresses.length === 0 ? undefined : [sourcesOf('v.name'), [chain, byteaList(addresses)]],
  (rows): ReadonlyMap<string, string> =>
    new Map(rows.map(({ address, name }) => [`0x${address.toString('hex')}`, name])),
)

const jobRow = z.strictObject({
  job: z.string(),
  chain: z.bigint(),
  address: bytes,
  started_ts: z.bigint(),
  finished_ts: z.bigint().nullable(),
  state: z.enum(['waiting', 'compiling', 'comparing', 'done', 'failed']),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  runtime_match: z.string().nullable(),
  creation_match: z.string().nullable(),
})
/** A check of sources. */
export type VerificationJob = Readonly<z.output<typeof jobRow>>

/** A check by its id. */
export const readVerificationJob = queryOne(jobRow, (job: string) => [
  `select job::text, chain, address, started_ts, finished_ts, state, error_code, error_message, runtime_match,
     creation_match
   from verification_jobs where job = $1::text::uuid`,
  [job],
])

/** Seconds for which finished checks are kept. */
const jobSeconds = 7 * 86_400

/** Records a new check, and forgets those of more than a week ago. */
export async function addVerificationJob(
  sql: Queryable,
  job: Pick<VerificationJob, 'job' | 'chain' | 'address' | 'started_ts'>,
): Promise<void> {
  await sql`delete from verification_jobs where started_ts < ${job.started_ts - BigInt(jobSeconds)}`
  await sql`insert into verification_jobs ${sql({ ...job, state: 'waiting' })}`
}

/** Records what a check has come to. */
export async function changeVerificationJob(
  sql: Queryable,
  job: string,
  change: Partial<Omit<VerificationJob, 'job' | 'chain' | 'address' | 'started_ts'>>,
): Promise<void> {
  await sql`update verification_jobs set ${sql(change)} where job = ${job}`
}
