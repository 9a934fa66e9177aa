import { chainGroups, type ChainGroup } from '../../contract/metrics/series.ts'
import type { Owner } from './definition.ts'

const groupNames: Readonly<Record<ChainGroup, string>> = {
  total: 'All chains',
  mainnet: 'All mainnet chains',
  testnet: 'All testnet chains',
}

/** Groups of chains have no colour of their own: past the eighth, series are grey. */
const GROUP_INDEX = 8

/** The group of chains with an id; null for the id of a chain. */
export function groupOwner(id: string): Owner | null {
  const group = chainGroups.find((name) => name === id)
  if (group === undefined) return null
  return { chainId: group, name: groupNames[group], symbol: '', decimals: 18, index: GROUP_INDEX }
}
