import { z } from 'zod'
import { bytes, query, queryOne } from '../read.ts'
import { txPlace, type Order, type TxPlace } from '../primary/read-primary.ts'

const l1ValidatorRow = txPlace.extend({
  ordinal: z.number(),
  ts: z.bigint(),
  validation_id: bytes,
  tx_id: bytes,
  subnet: bytes,
  node: bytes,
  bls_key: bytes,
  remaining_owner_threshold: z.number(),
  remaining_owner_addresses: z.array(bytes),
  deactivation_owner_threshold: z.number(),
  deactivation_owner_addresses: z.array(bytes),
  weight: z.string(),
  end_fee: z.string().nullable(),
})
/** The current state of an L1 validator. Amounts are text; `end_fee` is null while it is inactive. */
export type L1ValidatorRow = Readonly<z.output<typeof l1ValidatorRow>>

const columns = `
  height, index, ordinal, ts, validation_id, tx_id, subnet, node, bls_key, remaining_owner_threshold,
  remaining_owner_addresses, deactivation_owner_threshold, deactivation_owner_addresses, weight, end_fee`

export type L1Place = TxPlace & { readonly ordinal: number }

type L1Filter = {
  readonly validation: Buffer | undefined
  readonly node: Buffer | undefined
  readonly subnet: Buffer | undefined
  readonly includeInactive: boolean
}

const statements = new Map<string, string>()

/** L1 validators before a position, latest first. */
export const readL1Validators = query(
  l1ValidatorRow,
  (chain: number, filter: L1Filter, before: L1Place, limit: number) => {
    const { validation, node, subnet, includeInactive } = filter
    const shape = [validation, node, subnet].map((given) => given !== undefined).join(' ')
    let text = statements.get(shape)
    if (text === undefined) {
      const narrowed = [
        validation ? 'validation_id = $7' : '$7::bytea is null',
        node ? 'node = $8' : '$8::bytea is null',
        subnet ? 'subnet = $9' : '$9::bytea is null',
      ]
      text = `
      select ${columns} from l1_validators
      where chain = $1 and (height, index, ordinal) < ($2, $3, $4) and ($5 or (end_fee is not null and weight > 0))
        and ${narrowed.join(' and ')}
      order by height desc, index desc, ordinal desc limit $6`
      statements.set(shape, text)
    }
    return [
      text,
      [
        chain,
        before.height,
        before.index,
        before.ordinal,
        includeInactive,
        limit,
        validation ?? null,
        node ?? null,
        subnet ?? null,
      ],
    ]
  },
)

/** A change of an L1 validator; index -1 without a transaction means that its balance was exhausted. */
const l1ChangeRow = txPlace.extend({
  ts: z.bigint(),
  tx_id: bytes.nullable(),
  type: z.number().nullable(),
  weight: z.string(),
  balance_change: z.string(),
  balance: z.string(),
  end_fee: z.string().nullable(),
})

const changes = (order: Order): string => `
  select height, index, ts, tx_id, type, weight, balance_change, balance, end_fee from l1_validator_changes
  where validation_id = $2 and chain = $1 and (height, index) ${order === 'asc' ? '>' : '<'} ($3, $4)
  order by height ${order}, index ${order} limit $5`
const changesIn = { asc: changes('asc'), desc: changes('desc') }

/** The changes of an L1 validator after a position, in order. */
export const readL1Changes = query(
  l1ChangeRow,
  (chain: number, validation: Buffer, past: TxPlace, order: Order, limit: number) => [
    changesIn[order],
    [chain, validation, past.height, past.index, limit],
  ],
)

/** Whether there is an L1 validator with this id. */
export const hasL1Validation = queryOne(
  z.strictObject({ found: z.boolean() }),
  (chain: number, validation: Buffer) => [
    'select exists (select from l1_validators where validation_id = $2 and chain = $1) as found',
    [chain, validation],
  ],
  (row) => row?.found === true,
)
