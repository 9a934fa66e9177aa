import { useEffect, useMemo, useState, type ComponentProps } from 'react'
import type { Validator } from '../../../../contract/network/validators.ts'
import { useIsOwn } from '../../../api/own-profile.ts'
import type { NetworkName } from '../../../api/current.ts'
import { validatorsQuery } from '../../../api/network/validators.ts'
import { Disclosure } from '../../../components/disclosure.tsx'
import { useLatest, useDebounced, useNarrow } from '../../../components/hooks.ts'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { primaryNetworkId } from '../../../../contract/primary/chains.ts'
import { isPrimaryNetwork } from '../../../lib/primary-chains.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { Button, Select, Input } from '../../../components/controls.tsx'
import { useSubnetNames } from '../../shared/subnet-names.ts'
import { validatorColumns } from './columns.tsx'
import { Distribution } from './distribution.tsx'
import { FilterChips, FilterPanel } from './filter-panel.tsx'
import { bounds, filtersOf, sortKeysOf, sortOf, validatorsSchema, type ValidatorSortKey } from './filters.ts'

/** The distributions above the list; folded on a phone, which they would fill, unless one of them is in use. */
function DistributionPart(props: ComponentProps<typeof Distribution>) {
  const { table, minUptime, maxUptime } = props.search
  const isNarrow = useNarrow()
  if (!isNarrow) return <Distribution {...props} />
  return (
    <Disclosure
      look="part"
      className="mb-3"
      summary="Spread of stake and uptime"
      open={table !== '' || minUptime !== undefined || maxUptime !== undefined}
    >
      <Distribution {...props} />
    </Disclosure>
  )
}

const rowKey = ({ txHash, nodeId }: Validator): string => `${txHash}/${nodeId}`

const sortLabels: Readonly<Record<ValidatorSortKey, string>> = {
  blockIndex: 'By when added',
  startTimestamp: 'By start',
  delegationCapacity: 'By capacity left',
  timeRemaining: 'By time left',
  delegationFee: 'By fee',
  uptimePerformance: 'By uptime',
}

const none: Readonly<Record<string, string>> = {
  active: 'No active validators',
  pending: 'No pending validators',
  completed: 'No completed validations',
  removed: 'No removed validators',
}

/** What only a running validator has: hidden at first in lists of those whose time is over. */
const ofRunning: ReadonlySet<string> = new Set(['delegationCapacity', 'uptimePerformance'])

/** Why a list without filters is empty. */
const because: Readonly<Record<string, string>> = {
  pending:
    'Since the Durango upgrade a validator begins in the block that adds it, so this list is usually empty.',
  removed:
    'Validators that the owner of a permissioned subnet removed are listed here: include subnets to see them.',
}

/** A field for a part of a node ID; input takes effect after a pause. */
function NodeField({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // Back and Forward change the field's value.
  if (seen !== value) {
    setSeen(value)
    if (text.trim() !== value) setText(value)
  }
  const rested = useDebounced(text, 250)
  const tell = useLatest(onValue)
  const known = useLatest(value)
  useEffect(() => {
    if (rested.trim() !== known.current) tell.current(rested.trim())
  }, [rested, tell, known])
  return (
    <Input
      type="search"
      aria-label="Filter by node ID"
      placeholder="Filter by node ID"
      title="Separate several with commas"
      className="h-7 w-44"
      spellCheck={false}
      value={text}
      onChange={setText}
    />
  )
}

/** The validators of one status, filtered and sorted by the service; the state is in the URL. */
export function ValidatorList({ network }: { network: NetworkName }) {
  const [search, setSearch] = useSearchState(validatorsSchema)
  const [open, setOpen] = useState(false)
  const { list, node, subnet, order } = search
  const own = useIsOwn()
  const keys = sortKeysOf(list, own)
  const sort = sortOf(search, own)
  const filters = filtersOf(search, own)
  const rowsQuery = validatorsQuery(network, filters)
  const single = subnet !== 'all' && !isPrimaryNetwork(subnet)
  const names = useSubnetNames(network, subnet === 'all')
  const columns = useMemo(() => {
    const sortable = new Set<string>(sortKeysOf(list, own))
    const isOver = list === 'completed' || list === 'removed'
    return validatorColumns(network, isPrimaryNetwork(subnet) ? 'AVAX' : '', names).map((one) => ({
      ...one,
      sortable: sortable.has(one.id),
      ...(one.id === 'subnet' && subnet === 'all' && { hidden: false }),
      ...(isOver && ofRunning.has(one.id) && { hidden: true }),
    }))
  }, [network, subnet, list, own, names])
  const held = bounds.filter(({ min, max }) => search[min] !== undefined || search[max] !== undefined)
  const narrowed = held.length > 0 || node !== '' || single
  const change = (patch: Partial<typeof search>): void => setSearch(patch, { push: true })
  return (
    <>
      {list === 'active' && isPrimaryNetwork(subnet) && (
        <DistributionPart network={network} search={search} onFilter={change} onTable={setSearch} />
      )}
      {open && <FilterPanel search={search} onChange={change} />}
      <PagedTable
        id={subnet === 'all' ? 'validators-of-subnets' : 'validators'}
        label={`Validators, ${list}`}
        noun="validator"
        list={rowsQuery}
        columns={columns}
        rowKey={rowKey}
        rowHref={(row) => paths.validator(network, row.nodeId)}
        sort={{
          by: sort,
          order,
          onSort: (id) =>
            setSearch({
              sort: validatorsSchema.shape.sort.parse(id),
              order: sort === id && order === 'desc' ? 'asc' : 'desc',
            }),
        }}
        tools={
          <>
            <NodeField value={node} onValue={(next) => setSearch({ node: next })} />
            <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
              Filters
            </Button>
            <Button
              small
              aria-pressed={subnet === 'all'}
              title="Those of permissioned and elastic subnets; L1s have a page of their own"
              onClick={() => change({ subnet: subnet === 'all' ? primaryNetworkId : 'all' })}
            >
              Include subnets
            </Button>
            {keys.length === 1 ? (
              <Select
                aria-label="Order of the validators"
                value={order}
                className="h-7"
                options={[
                  { id: 'desc', label: 'Newest first' },
                  { id: 'asc', label: 'Oldest first' },
                ]}
                onChange={(next) => setSearch({ order: next })}
              />
            ) : (
              // Two-line rows have no headings, so the sort order is selected here.
              <Select
                aria-label="Sort the validators by"
                value={sort}
                className="h-7 md:hidden"
                options={keys.map((key) => ({ id: key, label: sortLabels[key] }))}
                onChange={(key) => setSearch({ sort: key })}
              />
            )}
            <FilterChips search={search} onChange={change} />
            {single && (
              <FilterChip
                text={`Subnet ${shorten(subnet)}`}
                onRemove={() => change({ subnet: primaryNetworkId })}
              />
            )}
          </>
        }
        file={`validators-${list}-${network}`}
        empty={
          <EmptyState title={narrowed ? 'No validator fits the filters' : (none[list] ?? 'No validators')}>
            {narrowed
              ? 'Remove them to see the whole list.'
              : (because[list] ?? 'They appear here as the P-Chain is indexed.')}
          </EmptyState>
        }
      />
    </>
  )
}
