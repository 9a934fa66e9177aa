import { FilterChip } from '../../components/table/filter-chip.tsx'
import { useId, useState } from 'react'
import { useZone } from '../../components/hooks.ts'
import { ChevronDownIcon } from '../../components/icons.ts'
import { Menu } from '../../components/overlays/menu.tsx'
import type { ChainAlias } from '../../lib/primary-chains.ts'
import { shorten } from '../../lib/text.ts'
import { formatTime } from '../../lib/time.ts'
import { Button, Form, Input } from '../../components/controls.tsx'
import { txTypeLabel } from './tx-type.tsx'
import {
  chosenTypes,
  isValidationId,
  typesOfChain,
  whyNotNarrowed,
  wrongAddresses,
  type FilterState,
} from './filters.ts'
import { DayRange } from './day-range.tsx'

// Dates are not filtered by before the list is seen.

type Props = {
  state: FilterState
  chain: ChainAlias
  onChange: (patch: Partial<FilterState>) => void
}

/** A field for the owners of transactions: addresses, or an L1 validation on the P-chain. */
function WhoseField({ chain, onChange }: Omit<Props, 'state'>) {
  const id = useId()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const submit = (): void => {
    const trimmed = text.trim()
    if (isValidationId(trimmed)) {
      if (chain !== 'p-chain') {
        setWrong('L1 validations are on the P-Chain only.')
        return
      }
      onChange({ l1: trimmed })
    } else {
      const reason = wrongAddresses(trimmed, chain)
      setWrong(reason)
      if (reason !== undefined) return
      onChange({
        of: trimmed
          .split(',')
          .map((part) => part.trim())
          .join(','),
      })
    }
    setText('')
  }
  const name = chain === 'p-chain' ? 'Address or L1 validation id' : 'Address'
  return (
    <>
      <Form className="flex max-w-full items-center gap-2" onSubmit={submit}>
        <Input
          id={id}
          aria-label={name}
          className="h-7 w-56"
          placeholder={chain === 'p-chain' ? 'address or validation id' : 'address'}
          title="Several addresses with commas between them"
          value={text}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong === undefined ? undefined : `${id}-wrong`}
          onChange={(typed) => {
            setText(typed)
            setWrong(undefined)
          }}
        />
        <Button type="submit" small disabled={text.trim() === ''}>
          Filter
        </Button>
      </Form>
      {wrong !== undefined && (
        <span id={`${id}-wrong`} role="alert" className="text-xs text-bad">
          {wrong}
        </span>
      )}
    </>
  )
}

/** Filters a list of transactions; unsupported filters are disabled with a reason. */
export function FilterBar({ state, chain, onChange }: Props) {
  const why = useId()
  const zone = useZone()
  const reason = whyNotNarrowed(state, chain)
  const closed = reason !== undefined
  const chosen = chosenTypes(state, chain)
  const choose = (types: readonly string[]): void => onChange({ types: types.join(',') })
  const describedBy = closed ? why : undefined
  return (
    <>
      <WhoseField chain={chain} onChange={onChange} />
      {closed ? (
        <Button small disabled aria-describedby={why} title={reason}>
          Types
          <ChevronDownIcon size={14} />
        </Button>
      ) : (
        <Menu
          label="Types"
          className="control control-small"
          align="start"
          entries={() =>
            typesOfChain[chain].map((type) => ({
              kind: 'check',
              label: txTypeLabel(type),
              checked: chosen.includes(type),
              onChange: (on) =>
                choose(typesOfChain[chain].filter((one) => (one === type ? on : chosen.includes(one)))),
            }))
          }
        >
          Types
          <ChevronDownIcon size={14} />
        </Menu>
      )}
      {/* As much room before the fields are there. */}
      <DayRange disabled={closed} describedBy={describedBy} onRange={onChange} />
      {state.of !== '' &&
        state.of.split(',').map((address) => (
          <FilterChip
            key={address}
            text={`Of ${shorten(address, 14)}`}
            onRemove={() =>
              onChange({
                of: state.of
                  .split(',')
                  .filter((one) => one !== address)
                  .join(','),
              })
            }
          />
        ))}
      {chain === 'p-chain' && state.l1 !== '' && (
        <FilterChip text={`Of validation ${shorten(state.l1)}`} onRemove={() => onChange({ l1: '' })} />
      )}
      {!closed &&
        chosen.map((type) => (
          <FilterChip
            key={type}
            text={txTypeLabel(type)}
            onRemove={() => choose(chosen.filter((one) => one !== type))}
          />
        ))}
      {!closed && state.after !== undefined && (
        // The API leaves out the second itself.
        <FilterChip
          text={`From ${formatTime(state.after + 1, zone)}`}
          onRemove={() => onChange({ after: undefined })}
        />
      )}
      {!closed && state.before !== undefined && (
        <FilterChip
          text={`Before ${formatTime(state.before, zone)}`}
          onRemove={() => onChange({ before: undefined })}
        />
      )}
      {closed && (
        <p id={why} className="w-full text-xs text-muted">
          {reason}
        </p>
      )}
    </>
  )
}
