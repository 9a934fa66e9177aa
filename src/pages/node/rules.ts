import type { ActiveRules } from '../../api/node/node-shapes.ts'
import { wordsOf } from '../network/blockchain/genesis.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A Unix time of a configuration; undefined for other values, such as the largest 64-bit number for “never”. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const at = Number(value)
  return Number.isSafeInteger(at) && at >= 0 && at < 100_000_000_000 ? at : undefined
}

/** `feeManagerConfig` as `Fee manager`, `graniteTimestamp` as `Granite`. */
export const ruleName = (key: string): string =>
  wordsOf(key.replace(/(Config|BlockTimestamp|Timestamp|Time)$/, ''))

/** A time at which the rules of a chain change, with the changes. */
export type RuleMoment = { at: number; changes: readonly string[] }

/** One upgrade of a precompile in a chain's configuration. */
export type PrecompileUpgrade = {
  key: string
  at: number | undefined
  isOff: boolean
  /** Its other settings. */
  rest: Json
}

/** The precompile upgrades of a configuration, in order. */
export function upgradesOf(config: Json): PrecompileUpgrade[] {
  const upgrades = isObject(config['upgrades']) ? config['upgrades']['precompileUpgrades'] : undefined
  if (!Array.isArray(upgrades)) return []
  return upgrades.flatMap((entry: unknown) =>
    Object.entries(isObject(entry) ? entry : {}).flatMap(([key, value]) => {
      if (!isObject(value)) return []
      const { blockTimestamp, disable, ...rest } = value
      return [{ key, at: timeOf(blockTimestamp), isOff: disable === true, rest }]
    }),
  )
}

/**
 * The times at which a chain's rules change, oldest first, according to its configuration (the result of
 * eth_getChainConfig): network upgrades, precompiles of the genesis, and upgrades of precompiles.
 */
export function ruleMoments(config: Json): RuleMoment[] {
  const moments = new Map<number, string[]>()
  const note = (at: number | undefined, change: string): void => {
    if (at !== undefined) moments.set(at, [...(moments.get(at) ?? []), change])
  }
  for (const [key, value] of Object.entries(config)) {
    if (isObject(value) && key.endsWith('Config'))
      note(timeOf(value['blockTimestamp']), `${ruleName(key)} on`)
    else if (/(Timestamp|Time)$/.test(key)) note(timeOf(value), ruleName(key))
  }
  for (const { key, at, isOff } of upgradesOf(config)) note(at, `${ruleName(key)} ${isOff ? 'off' : 'on'}`)
  const state = isObject(config['upgrades']) ? config['upgrades']['stateUpgrades'] : undefined
  if (Array.isArray(state))
    for (const entry of state)
      note(timeOf(isObject(entry) ? entry['blockTimestamp'] : undefined), 'State upgrade')
  return [...moments].map(([at, changes]) => ({ at, changes })).toSorted((a, b) => a.at - b.at)
}

/** One rule at a time, and at the newest block if that is known. */
export type RuleRow = { group: string; name: string; value: string; now: string | undefined }

const yesNo = (value: unknown): string => (value === true ? 'yes' : value === false ? 'no' : String(value))

function flat(rules: ActiveRules): Map<string, { group: string; name: string; value: string }> {
  const rows = [
    ...Object.entries(rules.ethRules).map(([name, value]) => ['Ethereum', name, yesNo(value)] as const),
    ...Object.entries(rules.avalancheRules).map(
      ([name, value]) => ['Avalanche', name, yesNo(value)] as const,
    ),
    ...Object.keys(rules.precompiles).map((key) => ['Precompiles', key, 'yes'] as const),
  ]
  return new Map(rows.map(([group, name, value]) => [`${group} ${name}`, { group, name, value }]))
}

/** The rules at a time and those of the newest block. A rule that only one of them has is “no” in the other. */
export function ruleRows(then: ActiveRules, now: ActiveRules | undefined): RuleRow[] {
  const old = flat(then)
  const fresh = now && flat(now)
  const keys = new Set([...old.keys(), ...(fresh?.keys() ?? [])])
  return [...keys].flatMap((key) => {
    const one = old.get(key) ?? fresh?.get(key)
    if (!one) return []
    return [
      {
        group: one.group,
        name: one.group === 'Precompiles' ? ruleName(one.name) : one.name.replace(/^Is(?=[A-Z])/, ''),
        value: old.get(key)?.value ?? 'no',
        now: fresh && (fresh.get(key)?.value ?? 'no'),
      },
    ]
  })
}
