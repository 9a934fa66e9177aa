import type { Validator } from '../../../../contract/network/validators.ts'
import { isPrimaryNetwork } from '../../../lib/primary-chains.ts'

const order = ['active', 'pending', 'completed', 'removed']
const rank = ({ validationStatus }: Validator): number => {
  const place = order.indexOf(validationStatus)
  return place === -1 ? order.length : place
}

/** The main term of a node: the active one of the Primary Network, else the next or the last. */
export function leadingTerm(terms: readonly Validator[]): Validator | undefined {
  return terms
    .filter(({ subnetId }) => isPrimaryNetwork(subnetId))
    .toSorted((a, b) => rank(a) - rank(b) || b.startTimestamp - a.startTimestamp)[0]
}
