import { formatGwei, formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import { formatTime } from '../../../lib/time.ts'

/** The parts of a genesis in the order in which they are shown. */
export const genesisGroups = ['Chain', 'Fees', 'Forks', 'Precompiles', 'Other'] as const
export type GenesisGroup = (typeof genesisGroups)[number]

/** One setting of a genesis: `key` is its path in the file, `text` what a person reads. */
export type GenesisRow = { group: GenesisGroup; key: string; label: string; text: string }

/** A precompile that is on from the start or from a later moment, with who may use it. */
export type GenesisPrecompile = {
  key: string
  label: string
  /** Unix seconds; undefined where the genesis names none. */
  from: number | undefined
  admins: readonly string[]
  managers: readonly string[]
  enabled: readonly string[]
  /** What else is set, as text. */
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
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .replace(/^eip ?(\d+)/i, 'EIP-$1')
  const [first = '', ...others] = words.split(' ')
  return [
    `${first.charAt(0).toUpperCase()}${first.slice(1)}`,
    ...others.map((word) => word.toLowerCase()),
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

/** A setting's value as text: numbers with separators, times in UTC, fees in gwei too. */
export function valueText(key: string, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const whole = hashKeys.test(key) ? undefined : asWhole(value)
  if (whole !== undefined && timeKeys.test(key) && whole < 100_000_000_000n)
    return whole === 0n && key !== 'timestamp' ? 'from the start' : formatTime(Number(whole), 'utc')
  if (whole !== undefined && weiKeys.test(key))
    return `${formatInteger(whole)} wei (${formatGwei(whole)} gwei)`
  // An id is no amount.
  if (whole !== undefined) return key === 'chainId' ? String(whole) : formatInteger(whole)
  return safeText(typeof value === 'string' ? value : jsonOf(value), 2_000) || '–'
}

function groupOf(key: string): GenesisGroup {
  if (key === 'chainId') return 'Chain'
  return /(Block|Timestamp|Hash)$/.test(key) ? 'Forks' : 'Other'
}

const addresses = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => safeText(String(one), 66)) : []

/** The precompiles that a genesis sets up. */
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
 * Every setting of an EVM chain's genesis but its allocations, in groups. Whoever makes a chain writes its
 * genesis: what is not known is kept under `Other`, and no text is trusted.
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

/** A setting of two chains beside each other; undefined where a chain has none. */
export type ComparedRow = {
  group: GenesisGroup
  key: string
  label: string
  one: string | undefined
  other: string | undefined
}

/** The settings of two chains by their place in the file, those of the first in its order. */
export function compareGenesis(one: unknown, other: unknown): ComparedRow[] {
  const merged = new Map<string, ComparedRow>()
  for (const { group, key, label, text } of genesisRows(one))
    merged.set(key, { group, key, label, one: text, other: undefined })
  for (const { group, key, label, text } of genesisRows(other))
    merged.set(key, { group, key, label, one: merged.get(key)?.one, other: text })
  const place = (group: GenesisGroup): number => genesisGroups.indexOf(group)
  return [...merged.values()].toSorted((a, b) => place(a.group) - place(b.group))
}
