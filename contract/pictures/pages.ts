import * as z from 'zod/mini'
import { networkName, wholeNumber } from '../base/fields.ts'
import { breakdownNames } from '../metrics/breakdowns.ts'
import { addressParams, ofErcType } from '../evm/token-fields.ts'
import { cb58Id, nodeId, walletAddresses } from '../primary/fields.ts'
import { primaryChainAliases } from '../primary/chains.ts'
import { intervalQuery, pictureOperations, rangeQuery, scaleQuery } from './form.ts'

/*
 * The pictures of charts that are not a single metric. Their paths are those of the charts' pages, followed by the chart's
 * name where the page has several or shows more than it.
 */

const onNetwork = { network: networkName }

/** What levels over time have: their intervals follow from the range. */
const levelQuery = { ...rangeQuery, ...scaleQuery }

/** The transactions of all chains, stacked: the chart of the overview and of the list of chains. */
export const chainsPicture = pictureOperations({
  name: 'ChainTransactions',
  path: '/chains/transactions',
  chart: 'The transactions of the chains, stacked',
  params: {},
  query: { ...rangeQuery, ...intervalQuery },
})

/** The transactions of the primary network by chain, stacked. */
export const networkTransactionsPicture = pictureOperations({
  name: 'NetworkTransactions',
  path: '/networks/{network}/transactions',
  chart: 'The transactions of the primary network by chain, stacked',
  params: onNetwork,
  query: { ...rangeQuery, ...intervalQuery },
})

/** The transactions of a chain of the primary network by type, stacked. */
export const transactionTypesPicture = pictureOperations({
  name: 'TransactionTypes',
  path: '/networks/{network}/{chain}/transactions',
  chart: 'The transactions of a chain of the primary network by type, stacked',
  params: { ...onNetwork, chain: z.enum(primaryChainAliases) },
  query: { ...rangeQuery, ...intervalQuery },
})

/** A series of a network in parts: stacked if they add up. */
export const breakdownPicture = pictureOperations({
  name: 'NetworkBreakdown',
  path: '/networks/{network}/breakdowns/{breakdown}',
  chart: 'A series of a network in parts: messages by pair of chains, client versions',
  params: { ...onNetwork, breakdown: z.enum(breakdownNames) },
  query: { ...rangeQuery, ...intervalQuery },
})

/** How many validators have how much stake, or which uptime. */
export const validatorSpreadPicture = pictureOperations({
  name: 'ValidatorDistribution',
  path: '/networks/{network}/validators/{chart}',
  chart: 'The active validators of the primary network by stake or by uptime',
  params: { ...onNetwork, chart: z.enum(['stake', 'uptime']) },
  query: {},
})

/** A validator over time. */
export const validatorPicture = pictureOperations({
  name: 'Validator',
  path: '/networks/{network}/validators/{nodeId}/{chart}',
  chart: 'The stake, the delegations or the uptime of a validator over time',
  params: { ...onNetwork, nodeId, chart: z.enum(['stake', 'delegations', 'uptime']) },
  query: levelQuery,
})

/** An L1 validator over time. */
export const l1ValidatorPicture = pictureOperations({
  name: 'L1Validator',
  path: '/networks/{network}/l1-validators/{validationId}/{chart}',
  chart: 'The balance or the weight of an L1 validator over time',
  params: { ...onNetwork, validationId: cb58Id, chart: z.enum(['balance', 'weight']) },
  query: levelQuery,
})

/** When what is locked or staked becomes free. */
export const unlocksPicture = pictureOperations({
  name: 'Unlocks',
  path: '/networks/{network}/addresses/{addresses}/unlocks',
  chart: 'When the locked and staked AVAX of addresses becomes free',
  params: { ...onNetwork, addresses: walletAddresses },
  query: {},
})

/** The graph of the vertices of the X-Chain. */
export const verticesPicture = pictureOperations({
  name: 'Vertices',
  path: '/networks/{network}/vertices',
  chart: 'The graph of the vertices of the X-Chain',
  params: onNetwork,
  query: {
    from: z.optional(
      wholeNumber.with(z.describe('The lowest height; the latest vertices are shown when left out')),
    ),
  },
})

const tokenPath = '/chain/{chainId}/token/{address}'

/** A token by day. */
export const tokenPicture = pictureOperations({
  name: 'Token',
  path: `${tokenPath}/{chart}`,
  chart: 'The supply, the holders or the transfers of a token by day',
  params: { ...addressParams.shape, chart: z.enum(['supply', 'holders', 'transfers']) },
  query: { ...levelQuery, ercType: ofErcType },
})

/** How a token is spread over its holders. */
export const tokenSpreadPicture = pictureOperations({
  name: 'TokenDistribution',
  path: `${tokenPath}/distribution`,
  chart: 'The holders and the holdings of a token by the size of a balance',
  params: addressParams.shape,
  query: { ercType: ofErcType },
})
