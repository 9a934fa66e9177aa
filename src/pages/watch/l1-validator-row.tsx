import { useQuery } from '@tanstack/react-query'
import { l1ValidatorQuery } from '../../api/network/validators.ts'
import { Hash } from '../../components/hash.tsx'
import { paths } from '../../lib/paths.ts'
import { l1State } from '../network/l1-validators/l1-state.ts'
import { useNetworkLabel } from '../shared/network-crumb.tsx'
import { avax, count, field, figuresOf, word, type OnNetwork } from './figures-of.ts'
import { WatchedRow } from './watched-row.tsx'

/** A watched validator of an L1. */
export function L1ValidatorRow({ entry, network }: OnNetwork) {
  const query = useQuery(l1ValidatorQuery(network, entry.id))
  const { data } = query
  return (
    <WatchedRow
      entry={entry}
      name={<Hash value={entry.id} name="validation ID" to={paths.l1Validator(network, entry.id)} />}
      place={useNetworkLabel(network)}
      figures={figuresOf('l1Validator', [
        [word, field(data, (one) => (one ? l1State(one) : 'not found'))],
        [count, field(data, (one) => one?.weight.toString())],
        // The fee takes from it all the time.
        [{ ...avax, falls: true }, field(data, (one) => one?.remainingBalance.toString())],
      ])}
      answers={[query]}
    />
  )
}
