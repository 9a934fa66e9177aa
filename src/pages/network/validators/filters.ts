import * as z from 'zod/mini'
import {
  hostedValidatorSortKeys,
  validationStatuses,
  validatorSortKeys,
} from '../../../../contract/network/validators.ts'
import type { ValidatorFilters } from '../../../api/network/validators.ts'
import { primaryNetworkId } from '../../../../contract/primary/chains.ts'
import { parseDecimal, toSmallestUnit } from '../../shared/decimal.ts'

const day = 86_400
const avaxDecimals = 9

/** A number of a filter as text: digits with an optional fraction. */
const figure = z.catch(z.optional(z.string().check(z.regex(/^\d{1,12}(\.\d{1,9})?$/))), undefined)

/** The state of the page Validators in its URL: AVAX, days and percentages as typed. */
export const validatorsSchema = z.object({
  list: z.catch(z.enum([...validationStatuses, 'watched']), 'active'),
  node: z.catch(z.string().check(z.maxLength(400)), ''),
  /** The id of a subnet, or `all`. */
  subnet: z.catch(z.string().check(z.maxLength(60)), primaryNetworkId),
  sort: z.catch(z.optional(z.enum(validatorSortKeys)), undefined),
  order: z.catch(z.enum(['asc', 'desc']), 'desc'),
  minCapacity: figure,
  maxCapacity: figure,
  minDays: figure,
  maxDays: figure,
  minFee: figure,
  maxFee: figure,
  minUptime: figure,
  maxUptime: figure,
  /** The distribution that is shown as a table. */
  table: z.catch(z.enum(['', 'stake', 'uptime']), ''),
})
export type ValidatorsSearch = z.infer<typeof validatorsSchema>
export type ValidatorSortKey = (typeof validatorSortKeys)[number]

/**
 * The sort keys of a list, its default first. Ended validations have one order, that in which they were added; `own`
 * is whether the service is Ridgeline's, which alone sorts by the start.
 */
export function sortKeysOf(
  list: ValidatorsSearch['list'],
  own: boolean,
): readonly [ValidatorSortKey, ...ValidatorSortKey[]] {
  if (list === 'completed' || list === 'removed') return ['blockIndex']
  return own
    ? ['startTimestamp', 'delegationCapacity', 'timeRemaining', 'delegationFee', 'uptimePerformance']
    : hostedValidatorSortKeys
}

/** The sort key of a list: the URL's if the list supports it, else the default. */
export function sortOf({ list, sort }: ValidatorsSearch, own: boolean): ValidatorSortKey {
  const keys = sortKeysOf(list, own)
  return keys.find((key) => key === sort) ?? keys[0]
}

/** A pair of bounds and its unit. */
export const bounds = [
  { id: 'Capacity', label: 'Capacity left', unit: 'AVAX', min: 'minCapacity', max: 'maxCapacity' },
  { id: 'Days', label: 'Time left', unit: 'days', min: 'minDays', max: 'maxDays' },
  { id: 'Fee', label: 'Fee', unit: '%', min: 'minFee', max: 'maxFee' },
  { id: 'Uptime', label: 'Uptime', unit: '%', min: 'minUptime', max: 'maxUptime' },
] as const
export type BoundName = (typeof bounds)[number]['min' | 'max']

/** Days as typed in whole seconds: a minimum is rounded up and a maximum down, so that no bound lets pass what is beyond it. */
function seconds(days: string, round: 'up' | 'down'): number {
  const { digits, places } = parseDecimal(days) ?? { digits: 0n, places: 0 }
  const unit = 10n ** BigInt(places)
  return Number((digits * BigInt(day) + (round === 'up' ? unit - 1n : 0n)) / unit)
}

/** A percentage for the operation, at most 100. */
const percent = (text: string): number => Math.min(100, Number(text))

/**
 * The page's state as the operation's filters in nAVAX, seconds and percentages. Defaults do not filter. `own` is
 * whether the service is Ridgeline's.
 */
export function filtersOf(search: ValidatorsSearch, own: boolean): ValidatorFilters {
  const { list, node, subnet, order } = search
  const nodes = node
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .join(',')
  const capacity = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : toSmallestUnit(text, avaxDecimals)
  const minCapacity = capacity(search.minCapacity)
  const maxCapacity = capacity(search.maxCapacity)
  return {
    ...(list !== 'watched' && { validationStatus: list }),
    ...(nodes !== '' && { nodeIds: nodes }),
    ...(subnet !== 'all' && { subnetId: subnet }),
    sortBy: sortOf(search, own),
    sortOrder: order,
    ...(minCapacity !== undefined && { minDelegationCapacity: minCapacity }),
    ...(maxCapacity !== undefined && { maxDelegationCapacity: maxCapacity }),
    ...(search.minDays !== undefined && { minTimeRemaining: seconds(search.minDays, 'up') }),
    ...(search.maxDays !== undefined && { maxTimeRemaining: seconds(search.maxDays, 'down') }),
    ...(search.minFee !== undefined && { minFeePercentage: percent(search.minFee) }),
    ...(search.maxFee !== undefined && { maxFeePercentage: percent(search.maxFee) }),
    ...(search.minUptime !== undefined && { minUptimePerformance: percent(search.minUptime) }),
    ...(search.maxUptime !== undefined && { maxUptimePerformance: percent(search.maxUptime) }),
  }
}
