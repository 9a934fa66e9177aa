import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { QueryOf, ResponseOf } from '../../../contract/base/operation.ts'
import {
  getStopSafety,
  getValidatorDistribution,
  listL1ValidatorHistory,
} from '../../../contract/network/staking.ts'
import {
  listL1Validators,
  listNodeValidations,
  listValidators,
  type Validator,
} from '../../../contract/network/validators.ts'
import type { NetworkName } from '../current.ts'
import { listQuery, wholeListQuery, type Paging } from '../list.ts'
import { call } from '../session.ts'

const pageSize = 100

/** Filters and sort order of a list of validators; undefined values do not filter. */
export type ValidatorFilters = Omit<QueryOf<typeof listValidators>, 'pageToken' | 'pageSize'>

/** The validators of a network. The previous rows stay while another filter loads. */
export const validatorsQuery = (network: NetworkName, filters: ValidatorFilters) =>
  listQuery({
    key: ['validators', network, filters],
    read: (paging, signal) =>
      call(listValidators, { params: { network }, query: { ...filters, ...paging }, signal }),
    rowsOf: (page) => page.validators,
    pageSize,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** An active validator of the primary network; undefined if it has none. */
export async function activeValidator(network: NetworkName): Promise<Validator | undefined> {
  const query = { pageSize: 1, validationStatus: 'active' } as const
  return (await call(listValidators, { params: { network }, query })).validators[0]
}

/** Every validation of one node, latest first. */
export const validationsQuery = (network: NetworkName, nodeId: string) =>
  listQuery({
    key: ['validations', network, nodeId],
    read: (paging, signal) =>
      call(listNodeValidations, { params: { network, nodeId }, query: paging, signal }),
    rowsOf: (page) => page.validators,
    pageSize,
    staleTime: 30_000,
  })

/** Filters of L1 validators: by subnet, node or validation; inactive ones only on request. */
export type L1Filters = Omit<QueryOf<typeof listL1Validators>, 'pageToken' | 'pageSize'>

/** L1 validators with their balances at the head. */
export const l1ValidatorsQuery = (network: NetworkName, filters: L1Filters) =>
  listQuery({
    key: ['l1-validators', network, filters],
    read: (paging, signal) =>
      call(listL1Validators, { params: { network }, query: { ...filters, ...paging }, signal }),
    rowsOf: (page) => page.validators,
    pageSize,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** One L1 validator; undefined for an unknown validation. */
export const l1ValidatorQuery = (network: NetworkName, l1ValidationId: string) =>
  queryOptions({
    queryKey: ['l1-validator', network, l1ValidationId],
    queryFn: async () => {
      const query = { pageSize: 1, l1ValidationId, includeInactiveL1Validators: true }
      const page = await call(listL1Validators, { params: { network }, query })
      return page.validators[0] ?? null
    },
    refetchInterval: 30_000,
  })

const l1History = (network: NetworkName, validationId: string) => ({
  key: ['l1-history', network, validationId],
  read: (paging: Paging, signal?: AbortSignal) =>
    call(listL1ValidatorHistory, { params: { network, validationId }, query: paging, signal }),
  rowsOf: (page: ResponseOf<typeof listL1ValidatorHistory>) => page.changes,
  pageSize,
  staleTime: 30_000,
})

/** The changes of an L1 validator, latest first. */
export const l1HistoryQuery = (network: NetworkName, validationId: string) =>
  listQuery(l1History(network, validationId))

/** All changes of an L1 validator at once, latest first, for its chart. */
export const wholeL1HistoryQuery = (network: NetworkName, validationId: string) =>
  wholeListQuery(l1History(network, validationId))

/** The validators of a subnet that may stop while the others keep `quorumPercentage` of the weight. */
export const stopSafetyQuery = (network: NetworkName, subnetId: string, quorumPercentage: number) =>
  queryOptions({
    queryKey: ['stop-safety', network, subnetId, quorumPercentage],
    queryFn: ({ signal }) =>
      call(getStopSafety, { params: { network, subnetId }, query: { quorumPercentage }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

/** The active validators of the primary network in bins of stake and of uptime. */
export type ValidatorDistribution = ResponseOf<typeof getValidatorDistribution>

/** How stake and uptime are distributed over the active validators of the primary network. */
export const validatorDistributionQuery = (network: NetworkName) =>
  queryOptions({
    queryKey: ['validator-distribution', network],
    queryFn: () => call(getValidatorDistribution, { params: { network } }),
    staleTime: 60_000,
    refetchInterval: 60_000,
  })
