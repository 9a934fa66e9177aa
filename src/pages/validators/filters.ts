import { z } from 'zod'
import { validationStatuses, validatorSortKeys } from '../../../contract/primary-validators.ts'
import type { ValidatorFilters } from '../../api/primary-validators.ts'
import { primaryNetworkId } from '../../lib/primary-chains.ts'
import { toSmallestUnit } from '../tokens-parts/decimal.ts'

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
  sort: z.enum(validatorSortKeys).catch('blockIndex'),
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

/** The page's state as the operation takes it: nAVAX, seconds, percentages. Defaults narrow nothing. */
export function filtersOf(search: ValidatorsSearch): ValidatorFilters {
  const { list, node, subnet, sort, order } = search
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
    sortBy: sort,
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
