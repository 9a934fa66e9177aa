import { z } from 'zod'
import {
  hostedValidatorSortKeys,
  validationStatuses,
  validatorSortKeys,
} from '../../../../contract/network/validators.ts'
import type { ValidatorFilters } from '../../../api/network/validators.ts'
import { primaryNetworkId } from '../../../lib/primary-chains.ts'
import { toSmallestUnit } from '../../shared/decimal.ts'

const day = 86_400
const avaxDecimals = 9

/** A number of a filter as text: digits, and a fraction where one makes sense. */
const figure = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,9})?$/)
  .optional()
  .catch(undefined)

/** What the page Validators shows, in its URL: AVAX, days and percentages as people write them. */
export const validatorsSchema = z.object({
  list: z.enum([...validationStatuses, 'watched']).catch('active'),
  node: z.string().max(400).catch(''),
  /** The id of a subnet, or all of them. */
  subnet: z.string().max(60).catch(primaryNetworkId),
  sort: z.enum(validatorSortKeys).optional().catch(undefined),
  order: z.enum(['asc', 'desc']).catch('desc'),
  minCapacity: figure,
  maxCapacity: figure,
  minDays: figure,
  maxDays: figure,
  minFee: figure,
  maxFee: figure,
  minUptime: figure,
  maxUptime: figure,
})
export type ValidatorsSearch = z.infer<typeof validatorsSchema>
export type ValidatorSortKey = (typeof validatorSortKeys)[number]

/**
 * What a list can be sorted by, its default first. Ended validations have one order, that in which they were
 * added; `own` is whether a Ridgeline service answers, which alone sorts by the start.
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

/** The key that a list is sorted by: the URL's where the list can be sorted by it, else its default. */
export function sortOf({ list, sort }: ValidatorsSearch, own: boolean): ValidatorSortKey {
  const keys = sortKeysOf(list, own)
  return keys.find((key) => key === sort) ?? keys[0]
}

/** A pair of bounds that the page offers, and its unit. */
export const bounds = [
  { id: 'Capacity', label: 'Capacity left', unit: 'AVAX', min: 'minCapacity', max: 'maxCapacity' },
  { id: 'Days', label: 'Time left', unit: 'days', min: 'minDays', max: 'maxDays' },
  { id: 'Fee', label: 'Fee', unit: '%', min: 'minFee', max: 'maxFee' },
  { id: 'Uptime', label: 'Uptime', unit: '%', min: 'minUptime', max: 'maxUptime' },
] as const
export type BoundName = (typeof bounds)[number]['min' | 'max']

const seconds = (days: string): number => Math.round(Number(days) * day)

/** A percentage as the operation takes it: beyond 100 there is nothing more to ask for. */
const percent = (text: string): number => Math.min(100, Number(text))

/**
 * The page's state as the operation takes it: nAVAX, seconds, percentages. Defaults narrow nothing. `own` is
 * whether a Ridgeline service answers.
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
    ...(search.minDays !== undefined && { minTimeRemaining: seconds(search.minDays) }),
    ...(search.maxDays !== undefined && { maxTimeRemaining: seconds(search.maxDays) }),
    ...(search.minFee !== undefined && { minFeePercentage: percent(search.minFee) }),
    ...(search.maxFee !== undefined && { maxFeePercentage: percent(search.maxFee) }),
    ...(search.minUptime !== undefined && { minUptimePerformance: percent(search.minUptime) }),
    ...(search.maxUptime !== undefined && { maxUptimePerformance: percent(search.maxUptime) }),
  }
}
