import { transactionsByChain, transactionsByType } from '../../contract/pictures/stacks.ts'
import { networkMetricEntry, type NetworkMetricName } from '../../contract/metrics/network-catalogue.ts'
import { primaryChainNames, type PrimaryChainAlias } from '../../contract/primary/chains.ts'
import type { ChartSeries } from '../chart-series.ts'
import { seriesColour } from '../palette.ts'
import type { SeriesPoint } from '../series/series.ts'
import type { Owner, SeriesDefinition } from './definition.ts'

/** What a stack of transactions is of: the primary network by chain, or one of its chains by type. */
export type LayersOf = 'network' | PrimaryChainAlias

/**
 * The series that are stacked in each chart of transactions, with their labels: the chains of the primary network, or
 * the types of one chain, each counted once. AdvanceTimeTx, by which the P-Chain set its time before blocks had one, has
 * no series and is left out.
 */
const layers: Readonly<Record<LayersOf, readonly (readonly [NetworkMetricName, string])[]>> = {
  network: [
    ['pTransactions', primaryChainNames['p-chain']],
    ['xTransactions', primaryChainNames['x-chain']],
    ['cAtomicTransactions', 'C-Chain, atomic'],
  ],
  'p-chain': [
    ['pStakingTransactions', 'Staking'],
    ['pRewardTransactions', 'Rewards'],
    ['pL1Transactions', 'L1s'],
    ['pSubnetTransactions', 'Subnets'],
    ['pTransfers', 'Transfers'],
    ['pImports', 'Imports'],
    ['pExports', 'Exports'],
  ],
  'x-chain': [
    ['xTransfers', 'Transfers'],
    ['xAssetTransactions', 'Assets'],
    ['xImports', 'Imports'],
    ['xExports', 'Exports'],
  ],
  'c-chain': [['cAtomicTransactions', 'Atomic transactions']],
}

/** A layer of a stack: its series, and what it is called there. */
type Layer<Info> = { readonly info: Info; readonly label: string }

/** The layers of a stack of transactions, the lowest first; `catalogue` has the series of networks. */
export const layersOf = <Info extends Pick<SeriesDefinition, 'name'>>(
  of: LayersOf,
  catalogue: readonly Info[],
): Layer<Info>[] =>
  layers[of].flatMap(([metric, label]) => {
    const info = catalogue.find(({ name }) => name === metric)
    return info === undefined ? [] : [{ info, label }]
  })

/** The name of a stack of transactions. */
export const layersTitle = (of: LayersOf): string =>
  of === 'c-chain'
    ? networkMetricEntry('cAtomicTransactions').title
    : of === 'network'
      ? transactionsByChain
      : transactionsByType

/** What a stack of transactions leaves out. */
export const layersNote = (of: LayersOf): string[] => (of === 'p-chain' ? ['without time advances'] : [])

/** The series of a stack, each in a colour of its own; a layer whose points are not known is left out. */
export const layerSeries = (
  list: readonly Layer<Pick<SeriesDefinition, 'name' | 'unit'>>[],
  points: readonly (readonly SeriesPoint[] | undefined)[],
  owner: Owner,
): ChartSeries[] =>
  list.flatMap(({ info, label }, index) => {
    const known = points[index]
    return known === undefined
      ? []
      : [{ id: info.name, label, colour: seriesColour(index), unit: info.unit(owner), points: known }]
  })
