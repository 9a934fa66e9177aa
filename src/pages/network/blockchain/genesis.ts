import { exactAmount, formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import { formatTime } from '../../../lib/time.ts'

/** The groups of genesis settings, in display order. */
export const genesisGroups = ['Chain', 'Fees', 'Forks', 'Precompiles', 'Other'] as const
type GenesisGroup = (typeof genesisGroups)[number]

/** One setting of a genesis: `key` is its path in the file, `text` its display form. */
export type GenesisRow = { group: GenesisGroup; key: string; label: string; text: string }

/** A precompile with its activation time and the addresses that may use it. */
export type GenesisPrecompile = {
  key: string
  label: string
  /** Unix seconds; undefined if the genesis has no time. */
  from: number | undefined
  admins: readonly string[]
  managers: readonly string[]
  enabled: readonly string[]
  /** Its other settings, as text. */
  more: string
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const precompileLabels: Readonly<Record<string, string>> = {
  txAllowListConfig: 'Transaction allow list',
  contractDeployerAllowListConfig: 'Contract deployer allow list',
  contractNativeMinterConfig: 'Native minter',
  feeManagerConfig: 'Fee manager',
  rewardManagerConfig: 'Reward manager',
  warpConfig: 'Warp messages',
}

/** `baseFeeChangeDenominator` as `Base fee change denominator`. */
export function wordsOf(key: string): string {
  const words = safeText(key, 60)
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/^eip ?(\d+)/i, 'EIP-$1')
  const [first = '', ...others] = words.split(' ')
  return [
    `${first.charAt(0).toUpperCase()}${first.slice(1)}`,
    // An abbreviation keeps its case, or gets it.
    ...others.map((word) => (word === 'Id' ? 'ID' : /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase())),
  ].join(' ')
}

const asWhole = (value: unknown): bigint | undefined => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  return typeof value === 'string' && /^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(value)
    ? BigInt(value)
    : undefined
}

const weiKeys = /^(baseFeePerGas|minBaseFee)$/
const timeKeys = /(Timestamp|^timestamp|Time)$/
const hashKeys = /(Hash|coinbase|extraData)$/

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
}

/** The display form of a setting without a value. */
export const notSet = 'not set'

/** A setting's display form: numbers with separators, times in UTC, fees also in gwei. */
export function valueText(key: string, value: unknown): string {
  if (value === null || value === undefined) return notSet
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const whole = hashKeys.test(key) ? undefined : asWhole(value)
  if (whole !== undefined && timeKeys.test(key) && whole < 100_000_000_000n)
    return whole === 0n && key !== 'timestamp' ? 'from the start' : formatTime(Number(whole), 'utc')
  if (whole !== undefined && weiKeys.test(key)) return `${exactAmount(whole, 9)} gwei`
  // A chain ID is not an amount.
  if (whole !== undefined) return key === 'chainId' ? String(whole) : formatInteger(whole)
  return safeText(typeof value === 'string' ? value : jsonOf(value), 2_000) || notSet
}

function groupOf(key: string): GenesisGroup {
  if (key === 'chainId') return 'Chain'
  return /(Block|Timestamp|Hash)$/.test(key) ? 'Forks' : 'Other'
}

const addresses = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => safeText(String(one), 66)) : []

/** The precompiles that a genesis configures. */
export function precompilesOf(genesis: unknown): GenesisPrecompile[] {
  const config = isObject(genesis) && isObject(genesis['config']) ? genesis['config'] : {}
  return Object.entries(config).flatMap(([key, value]) => {
    if (!key.endsWith('Config') || key === 'feeConfig' || !isObject(value)) return []
    const { blockTimestamp, adminAddresses, managerAddresses, enabledAddresses, ...rest } = value
    const from = asWhole(blockTimestamp)
    const more = Object.entries(rest).filter(([, item]) => item !== undefined && item !== null)
    return [
      {
        key,
        label: precompileLabels[key] ?? wordsOf(key.slice(0, -6)),
        from: from === undefined ? undefined : Number(from),
        admins: addresses(adminAddresses),
        managers: addresses(managerAddresses),
        enabled: addresses(enabledAddresses),
        more: more.map(([name, item]) => `${wordsOf(name)}: ${valueText(name, item)}`).join('; '),
      },
    ]
  })
}

function precompileText(one: GenesisPrecompile): string {
  const list = (name: string, all: readonly string[]): string =>
    all.length === 0 ? '' : `${name} ${all.join(', ')}`
  const from = one.from === undefined ? '' : `on ${valueText('blockTimestamp', one.from)}`
  return (
    [from, list('admins', one.admins), list('managers', one.managers), list('enabled', one.enabled), one.more]
      .filter(Boolean)
      .join('; ') || 'on'
  )
}

/**
 * All settings of an EVM chain's genesis except its allocations, in groups. Anyone can write a genesis: unknown
 * settings are in the group `Other`, and no text is trusted.
 */
export function genesisRows(genesis: unknown): GenesisRow[] {
  if (!isObject(genesis)) return []
  const row = (group: GenesisGroup, key: string, name: string, value: unknown): GenesisRow => ({
    group,
    key,
    label: wordsOf(name),
    text: valueText(name, value),
  })
  const { config, alloc: _alloc, ...top } = genesis
  const settings = isObject(config) ? config : {}
  const fees = isObject(settings['feeConfig']) ? settings['feeConfig'] : {}
  const rows = [
    ...Object.entries(settings).flatMap(([key, value]) =>
      key.endsWith('Config') && isObject(value) ? [] : [row(groupOf(key), `config.${key}`, key, value)],
    ),
    ...Object.entries(fees).map(([key, value]) => row('Fees', `config.feeConfig.${key}`, key, value)),
    ...precompilesOf(genesis).map((one) => ({
      group: 'Precompiles' as const,
      key: `config.${one.key}`,
      label: one.label,
      text: precompileText(one),
    })),
    ...Object.entries(top).map(([key, value]) => row('Chain', key, key, value)),
  ]
  const place = (group: GenesisGroup): number => genesisGroups.indexOf(group)
  return rows.toSorted((a, b) => place(a.group) - place(b.group))
}

/** A setting of two chains; undefined where a chain does not have it. */
export type ComparedRow = {
  group: GenesisGroup
  key: string
  label: string
  one: string | undefined
  other: string | undefined
}

/** The settings of two chains by path, in the order of the first one. */
export function compareGenesis(one: unknown, other: unknown): ComparedRow[] {
  const merged = new Map<string, ComparedRow>()
  for (const { group, key, label, text } of genesisRows(one))
    merged.set(key, { group, key, label, one: text, other: undefined })
  for (const { group, key, label, text } of genesisRows(other))
    merged.set(key, { group, key, label, one: merged.get(key)?.one, other: text })
  const place = (group: GenesisGroup): number => genesisGroups.indexOf(group)
  return [...merged.values()].toSorted((a, b) => place(a.group) - place(b.group))
}
