import type { KeptFrom } from '../../../contract/base/fields.ts'
import { HttpError } from '../../kernel/http-errors.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import type { Queryable } from '../../store/database.ts'
import type { BlockRange } from '../../store/evm/read-blocks.ts'
import { readKept, type Kept } from '../../store/evm/read-kept.ts'
import { max } from '../../http/route-context.ts'

const settings = { traces: 'keepTraces', logs: 'keepLogs' } as const
const words = { traces: 'internal calls', logs: 'logs' } as const

/** The fields of an answer about a range; none if nothing of the range was dropped. */
export const keptFields = (kept: Partial<Kept>, { from }: Pick<BlockRange, 'from'>): KeptFrom => ({
  ...(kept.traces !== undefined && kept.traces > from && { tracesFrom: `${kept.traces}` }),
  ...(kept.logs !== undefined && kept.logs > from && { logsFrom: `${kept.logs}` }),
})

/** 410: the rows of the range were dropped, so that an empty answer would be wrong. */
function notKept(chain: Chain, what: keyof Kept, from: bigint): HttpError {
  return new HttpError(
    410,
    `not kept: ${words[what]} of ${chain.config.name} before block ${from} were dropped (${settings[what]})`,
  )
}

/**
 * Reads rows of a range as far as they are kept, and the fields that say so. Throws a 410 if nothing of the range is
 * kept.
 */
export async function readWhereKept<Value>(
  database: Queryable,
  chain: Chain,
  what: keyof Kept,
  range: BlockRange,
  reads: (range: BlockRange) => Promise<Value>,
): Promise<{ readonly value: Value; readonly fields: KeptFrom }> {
  const { [what]: low } = await readKept(database, chain.key)
  if (range.from < range.before && range.before <= low) throw notKept(chain, what, low)
  // Rows below are about to be deleted: which are left says nothing.
  const value = await reads({ ...range, from: max(range.from, low) })
  const { [what]: from } = await readKept(database, chain.key)
  return { value, fields: keptFields({ [what]: from }, range) }
}
