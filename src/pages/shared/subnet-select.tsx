import { useInfiniteQuery } from '@tanstack/react-query'
import type { Subnet } from '../../../contract/network/blockchains.ts'
import type { NetworkName } from '../../api/current.ts'
import { subnetsQuery } from '../../api/network/registry.ts'
import { primaryNetworkId } from '../../../contract/primary/chains.ts'
import { isPrimaryNetwork } from '../../lib/primary-chains.ts'
import { shorten } from '../../lib/text.ts'
import { Button, Select } from '../../components/controls.tsx'
import { subnetName } from './subnet-names.ts'

/** A subnet by the names of its blockchains and its shortened id. */
const nameOf = ({ subnetId, blockchains }: Subnet): string => {
  const name = subnetName({ blockchains })
  return `${name}${name === '' ? '' : ' · '}${shorten(subnetId, 6, 4)}`
}

type Props = {
  network: NetworkName
  value: string
  onChange: (subnetId: string) => void
  /** The label of the option for no subnet; without it a subnet must be chosen. */
  every?: string
  /** Whether subnets that are no L1s are included. */
  withAll: boolean
}

/** Selects a subnet by its blockchains' names. A chosen one that is not loaded yet stays selected. */
export function SubnetSelect({ network, value, onChange, every, withAll }: Props) {
  const query = useInfiniteQuery(subnetsQuery(network))
  const all = query.data?.pages.flatMap((page) => page.subnets) ?? []
  const subnets = all.filter(({ isL1, subnetId }) => (withAll || isL1) && !isPrimaryNetwork(subnetId))
  const listed = value === '' || isPrimaryNetwork(value) || subnets.some((one) => one.subnetId === value)
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-2">
      <Select
        aria-label="Subnet"
        style={{ width: 260 }}
        value={value}
        className="h-7 max-w-full"
        options={[
          ...(every !== undefined ? [{ id: '', label: every }] : []),
          ...(withAll ? [{ id: primaryNetworkId, label: 'Primary Network' }] : []),
          ...(!listed ? [{ id: value, label: shorten(value) }] : []),
          ...subnets.map((subnet) => ({ id: subnet.subnetId, label: nameOf(subnet) })),
        ]}
        onChange={onChange}
      />
      {query.hasNextPage && (
        <Button small disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          More subnets
        </Button>
      )}
    </span>
  )
}
