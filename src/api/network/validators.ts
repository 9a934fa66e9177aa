import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { QueryOf } from '../../../contract/base/operation.ts'
import { getStopSafety, listL1ValidatorHistory } from '../../../contract/network/staking.ts'
import {
  listL1Validators,
  listNodeValidations,
  listValidators,
} from '../../../contract/network/validators.ts'
import type { NetworkName } from '../current.ts'
import { call } from '../session.ts'
import { gather, walk } from '../walk.ts'

const pageSize = 100

/** What a list of validators is narrowed and sorted by; what is left out narrows nothing. */
export type ValidatorFilters = Omit<QueryOf<typeof listValidators>, 'pageToken' | 'pageSize'>

/** The validators of a network, page by page. While those of another filter come, the old ones stay. */
export const validatorsQuery = (network: NetworkName, filters: ValidatorFilters) =>
  infiniteQueryOptions({
    queryKey: ['validators', network, filters],
    queryFn: ({ pageParam }) =>
      call(listValidators, {
        params: { network },
        query: { pageSize, ...filters, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** Every validator of a list, page by page, for exports. */
export const allValidators = (network: NetworkName, filters: ValidatorFilters, signal: AbortSignal) =>
  walk(
    listValidators,
    { params: { network }, query: { pageSize, ...filters }, signal },
    (page) => page.validators,
  )

/** Every validation of one node, latest first, page by page. */
export const validationsQuery = (network: NetworkName, nodeId: string) =>
  infiniteQueryOptions({
    queryKey: ['validations', network, nodeId],
    queryFn: ({ pageParam }) =>
      call(listNodeValidations, {
        params: { network, nodeId },
        query: { pageSize, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 30_000,
  })

/** Every validation of one node, page by page, for exports. */
export const allValidations = (network: NetworkName, nodeId: string, signal: AbortSignal) =>
  walk(
    listNodeValidations,
    { params: { network, nodeId }, query: { pageSize }, signal },
    (page) => page.validators,
  )

/** Which L1 validators: of a subnet, of a node, or one; inactive ones only where they are asked for. */
export type L1Filters = Omit<QueryOf<typeof listL1Validators>, 'pageToken' | 'pageSize'>

/** L1 validators with their balances at the head, page by page. */
export const l1ValidatorsQuery = (network: NetworkName, filters: L1Filters) =>
  infiniteQueryOptions({
    queryKey: ['l1-validators', network, filters],
    queryFn: ({ pageParam }) =>
      call(listL1Validators, {
        params: { network },
        query: { pageSize, ...filters, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** Every L1 validator of a list, page by page, for exports. */
export const allL1Validators = (network: NetworkName, filters: L1Filters, signal: AbortSignal) =>
  walk(
    listL1Validators,
    { params: { network }, query: { pageSize, ...filters }, signal },
    (page) => page.validators,
  )

/** One L1 validator; undefined where the network knows no such validation. */
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

/** What changed an L1 validator, latest first, page by page. */
export const l1HistoryQuery = (network: NetworkName, validationId: string) =>
  infiniteQueryOptions({
    queryKey: ['l1-history', network, validationId],
    queryFn: ({ pageParam }) =>
      call(listL1ValidatorHistory, {
        params: { network, validationId },
        query: { pageSize, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 30_000,
  })

/** Every change of an L1 validator, latest first, page by page, for exports and charts. */
export const allL1Changes = (network: NetworkName, validationId: string, signal: AbortSignal) =>
  walk(
    listL1ValidatorHistory,
    { params: { network, validationId }, query: { pageSize }, signal },
    (page) => page.changes,
  )

/** All changes of an L1 validator at once, latest first: for its chart. */
export const wholeL1HistoryQuery = (network: NetworkName, validationId: string) =>
  queryOptions({
    queryKey: ['l1-history', network, validationId, 'whole'],
    queryFn: ({ signal }) => gather(allL1Changes(network, validationId, signal)),
    staleTime: 30_000,
  })

/** Which validators of a subnet may stop while the others keep `quorumPercentage` of the weight. */
export const stopSafetyQuery = (network: NetworkName, subnetId: string, quorumPercentage: number) =>
  queryOptions({
    queryKey: ['stop-safety', network, subnetId, quorumPercentage],
    queryFn: ({ signal }) =>
      call(getStopSafety, { params: { network, subnetId }, query: { quorumPercentage }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
