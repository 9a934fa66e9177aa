import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '../../../contract/base/operation.ts'
import {
  getContractCode,
  getContractPowers,
  readContract,
  readContractViews,
} from '../../../contract/evm/contract-code.ts'
import { simulateCall } from '../../../contract/evm/simulation.ts'
import { getContractSource } from '../../../contract/evm/verification.ts'
import { call } from '../session.ts'

/** Code size, proxy target and readable functions of an address, read from the node at the head. */
export const contractCodeQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['contract-code', chainId, address.toLowerCase()],
    queryFn: () => call(getContractCode, { params: { chainId, address } }),
    staleTime: 60_000,
  })

/** Who has power over a contract, asked of the node at the head. */
export const contractPowersQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['contract-powers', chainId, address.toLowerCase()],
    queryFn: () => call(getContractPowers, { params: { chainId, address } }),
    staleTime: 60_000,
  })

/** The verified sources of a contract; none if they are not. */
export const contractSourceQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['contract-source', chainId, address.toLowerCase()],
    queryFn: () => call(getContractSource, { params: { chainId, address } }),
    staleTime: 60_000,
  })

/** What the keys of results of functions begin with. */
export const viewsKey = 'contract-views'

/** Calls a view function of a contract; arguments and results are text. */
export function callContract(
  chainId: string,
  address: string,
  body: BodyOf<typeof readContract>,
  signal: AbortSignal,
) {
  return call(readContract, { params: { chainId, address }, body, signal })
}

/**
 * The results of all view functions without arguments, after a block or the newest one. Other functions, by another ABI, have
 * results of their own.
 */
export const contractViewsQuery = (
  chainId: string,
  address: string,
  functions: readonly { readonly signature: string }[],
  blockNumber: number | undefined,
) =>
  queryOptions({
    queryKey: [
      viewsKey,
      chainId,
      address.toLowerCase(),
      functions.map(({ signature }) => signature),
      blockNumber,
    ],
    queryFn: () => call(readContractViews, { params: { chainId, address }, query: { blockNumber } }),
    staleTime: 60_000,
  })

/** What a call of a contract would do; each `attempt` asks anew. */
export const simulationQuery = (
  chainId: string,
  address: string,
  body: BodyOf<typeof simulateCall>,
  attempt: number,
) =>
  queryOptions({
    queryKey: ['simulation', chainId, address.toLowerCase(), body, attempt],
    queryFn: ({ signal }) => call(simulateCall, { params: { chainId, address }, body, signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
