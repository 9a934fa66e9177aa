import {
  l1ValidatorCharts,
  validatorCharts,
  validatorSpreadCharts,
  verticesChart,
} from './pictures/charts.ts'
import { transactionsByChain, transactionsByType } from './pictures/stacks.ts'
import type { PageName } from './pages.ts'

const allChains = { operation: 'getChainTransactionsPicture', alt: transactionsByChain }
const chainTransactions = {
  operation: 'getMetricPicture',
  alt: 'Transactions of the chain',
  values: { metric: 'txCount' },
}

type PagePicture = {
  readonly operation: string
  readonly alt?: string
  readonly values?: Readonly<Record<string, string>>
}

/**
 * The picture of the chart that a page leads with, for links to it: the id of the operation, what the chart is called (the
 * page's title without it), and values of the operation's path that are not in the page's. Apart from the
 * table of pages, because only the service needs them.
 */
export const pagePictures: Readonly<Partial<Record<PageName, PagePicture>>> = {
  overview: allChains,
  chains: allChains,
  chain: chainTransactions,
  metrics: chainTransactions,
  metric: { operation: 'getMetricPicture' },
  blocks: chainTransactions,
  transactions: chainTransactions,
  token: { operation: 'getTokenPicture', alt: 'Holders of the token', values: { chart: 'holders' } },
  network: { operation: 'getNetworkTransactionsPicture', alt: transactionsByChain },
  networkMetrics: {
    operation: 'getNetworkMetricPicture',
    alt: 'Total stake',
    values: { metric: 'totalStake' },
  },
  networkMetric: { operation: 'getNetworkMetricPicture' },
  vertices: { operation: 'getVerticesPicture', alt: verticesChart.title },
  validators: {
    operation: 'getValidatorDistributionPicture',
    alt: validatorSpreadCharts.stake.title,
    values: { chart: 'stake' },
  },
  validator: {
    operation: 'getValidatorPicture',
    alt: validatorCharts.stake.title,
    values: { chart: 'stake' },
  },
  l1Validator: {
    operation: 'getL1ValidatorPicture',
    alt: `${l1ValidatorCharts.balance.title} of the L1 validator`,
    values: { chart: 'balance' },
  },
  primaryTransactions: { operation: 'getTransactionTypesPicture', alt: transactionsByType },
}
