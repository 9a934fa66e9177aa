import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { L1Validator } from '../../../../contract/network/validators.ts'
import { useOffers, type NetworkName } from '../../../api/current.ts'
import { type L1Filters, l1ValidatorsQuery, stopSafetyQuery } from '../../../api/network/validators.ts'
import { EmptyState } from '../../../components/states.tsx'
import { paths } from '../../../lib/paths.ts'
import { PagedTable } from '../../shared/paged-table.tsx'
import { useSubnetNames } from '../../shared/subnet-names.ts'
import { l1State } from './l1-state.ts'
import { l1Columns, type Standing } from './columns.tsx'

const rowKey = ({ validationId }: L1Validator): string => validationId
const isRemoved = (row: L1Validator): boolean => l1State(row) === 'removed'

const defaultQuorum = 67

type Props = {
  network: NetworkName
  filters: L1Filters
  tools?: React.ReactNode
  /** The text of the empty list. */
  none: string
}

/** L1 validators with weight, balance and its end; with connections in a list of one subnet. */
export function L1List({ network, filters, tools, none }: Props) {
  const { subnetId, nodeId } = filters
  const list = l1ValidatorsQuery(network, filters)
  const offered = useOffers('getStopSafety')
  const safety = useQuery({
    ...stopSafetyQuery(network, subnetId ?? '', defaultQuorum),
    enabled: offered && subnetId !== undefined,
  }).data
  const subnetNames = useSubnetNames(network, subnetId === undefined)
  const columns = useMemo(() => {
    const known = subnetId !== undefined && safety?.subnetId === subnetId ? safety : undefined
    return l1Columns({
      network,
      withSubnet: subnetId === undefined,
      withNode: nodeId === undefined,
      standings:
        known &&
        new Map(
          known.validators.map(({ validationId, weightPercentage, isRunning }): [string, Standing] => [
            validationId ?? '',
            { sharePercent: weightPercentage, isRunning },
          ]),
        ),
      subnetNames,
      knowsConnections: known?.knowsConnections ?? false,
    })
  }, [network, subnetId, nodeId, safety, subnetNames])
  return (
    <PagedTable
      id={subnetId === undefined ? 'l1-validators' : 'l1-validators-of-subnet'}
      label="L1 validators"
      noun="L1 validator"
      list={list}
      columns={columns}
      rowKey={rowKey}
      isOver={isRemoved}
      rowHref={(row) => paths.l1Validator(network, row.validationId)}
      tools={tools}
      file={`l1-validators-${network}`}
      empty={<EmptyState title="No L1 validators">{none}</EmptyState>}
    />
  )
}
