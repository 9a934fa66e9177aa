import { useMemo, useState } from 'react'
import type { NetworkName } from '../../../api/current.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { shorten } from '../../../lib/text.ts'
import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { isNodeId } from '../validators/is-node-id.ts'
import { Button, Form, Input } from '../../../components/controls.tsx'
import { L1List } from './list.tsx'
import { l1FiltersOf, l1Schema } from './search.ts'
import { SubnetSelect } from '../../shared/subnet-select.tsx'

/** Filters the list by one node's full id. */
function NodeForm({ onNode }: { onNode: (nodeId: string) => void }) {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const nodeId = text.trim()
  return (
    <Form
      className="flex items-center gap-2"
      onSubmit={() => {
        setWrong(!isNodeId(nodeId))
        if (!isNodeId(nodeId)) return
        onNode(nodeId)
        setText('')
      }}
    >
      <Input
        className="h-7 w-44"
        aria-label="Node ID"
        placeholder="NodeID-…"
        spellCheck={false}
        aria-invalid={isWrong}
        value={text}
        onChange={(typed) => {
          setText(typed)
          setWrong(false)
        }}
      />
      <Button type="submit" small>
        Filter
      </Button>
      {isWrong && (
        <span role="alert" className="text-xs text-bad">
          Give a whole node ID.
        </span>
      )}
    </Form>
  )
}

/** The validators of L1s, filtered by L1 or node. */
export function ListTab({ network }: { network: NetworkName }) {
  const [{ subnet, node, inactive }, setSearch] = useSearchState(l1Schema)
  const filters = useMemo(() => l1FiltersOf({ subnet, node, inactive }), [subnet, node, inactive])
  const shown = inactive === 'shown'
  return (
    <L1List
      network={network}
      filters={filters}
      none={
        shown
          ? 'No L1 validator matches the filters.'
          : subnet === '' && node === ''
            ? 'No L1 validator is active. Include inactive ones to see the others.'
            : 'No active L1 validator matches the filters. Include inactive ones to see the others.'
      }
      tools={
        <>
          <SubnetSelect
            network={network}
            value={subnet}
            every="All L1s"
            withAll={false}
            onChange={(next) => setSearch({ subnet: next }, { push: true })}
          />
          <NodeForm onNode={(next) => setSearch({ node: next }, { push: true })} />
          <Button
            small
            aria-pressed={shown}
            onClick={() => setSearch({ inactive: shown ? 'hidden' : 'shown' })}
          >
            {shown ? 'Including inactive' : 'Include inactive'}
          </Button>
          {isNodeId(node) && (
            <FilterChip text={shorten(node, 13)} onRemove={() => setSearch({ node: '' }, { push: true })} />
          )}
        </>
      }
    />
  )
}
