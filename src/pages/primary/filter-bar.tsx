import { FilterChip } from '../../components/table/filter-chip.tsx'
import { useId, useState } from 'react'
import { useZone } from '../../components/hooks.ts'
import { ChevronDownIcon } from '../../components/icons.ts'
import { Menu } from '../../components/overlays/menu.tsx'
import { settings } from '../../lib/storage/settings.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
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
import { dayPlaceholders } from './day-range.tsx'
import { readDays } from './read-days.ts'

type Props = {
  state: FilterState
  chain: PrimaryChainAlias
  /** Whether types and dates filter the whole chain (filters.ts). */
  hasByType: boolean
  onChange: (patch: Partial<FilterState>) => void
}

type Texts = { of: string; from: string; to: string }
type Wrong = { field: 'of' | 'days'; reason: string }

/** What the text of an owner asks for, or why it asks for nothing. */
function readOwner(text: string, chain: PrimaryChainAlias): Partial<FilterState> | string {
  if (isValidationId(text))
    return chain === 'p-chain' ? { l1: text } : 'L1 validations are on the P-Chain only.'
  const of = text
    .split(',')
    .map((part) => part.trim())
    .join(',')
  return wrongAddresses(of, chain) ?? { of }
}

const noTexts: Texts = { of: '', from: '', to: '' }

/** The fields of a list's filters, with one button: days, and whose transactions. */
function Fields({ chain, closed, onChange }: Omit<Props, 'state' | 'hasByType'> & { closed: boolean }) {
  const id = useId()
  const [texts, setTexts] = useState(noTexts)
  const [wrong, setWrong] = useState<Wrong>()
  const submit = (): void => {
    const owner = texts.of.trim() === '' ? {} : readOwner(texts.of.trim(), chain)
    const hasDays = (texts.from + texts.to).trim() !== ''
    const days = hasDays ? readDays(texts, settings.get().zone) : {}
    if (typeof owner === 'string') setWrong({ field: 'of', reason: owner })
    else if (typeof days === 'string') setWrong({ field: 'days', reason: days })
    else if (Object.keys(owner).length === 0 && !hasDays)
      setWrong({
        field: closed ? 'of' : 'days',
        reason: closed ? 'Give an address.' : 'Give a day or an address.',
      })
    else {
      onChange({ ...owner, ...days })
      setTexts(noTexts)
    }
  }
  const field = (name: keyof Texts, label: string, placeholder: string, width: string) => {
    const isWrong = wrong?.field === (name === 'of' ? 'of' : 'days')
    return (
      <Input
        aria-label={label}
        title={name === 'of' ? 'Several addresses with commas between them' : label}
        placeholder={placeholder}
        className={`h-7 ${width}`}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? id : undefined}
        value={texts[name]}
        onChange={(typed) => {
          setTexts({ ...texts, [name]: typed })
          setWrong(undefined)
        }}
      />
    )
  }
  const whose = chain === 'p-chain' ? 'Address or L1 validation ID' : 'Address'
  return (
    <>
      <Form className="flex max-w-full flex-wrap items-center gap-2" onSubmit={submit}>
        {!closed && (
          <>
            {field('from', 'First day', dayPlaceholders.from, 'w-28')}
            {field('to', 'Last day', dayPlaceholders.to, 'w-28')}
          </>
        )}
        {field('of', whose, whose, 'w-56')}
        <Button type="submit" small>
          Filter
        </Button>
      </Form>
      {wrong !== undefined && (
        <span id={id} role="alert" className="text-xs text-bad">
          {wrong.reason}
        </span>
      )}
    </>
  )
}

/** Filters a list of transactions by type, day and owner. */
export function FilterBar({ state, chain, hasByType, onChange }: Props) {
  const zone = useZone()
  const reason = whyNotNarrowed(state, chain, hasByType)
  const closed = reason !== undefined
  const chosen = chosenTypes(state, chain)
  const choose = (types: readonly string[]): void => onChange({ types: types.join(',') })
  return (
    <>
      {!closed && (
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
      <Fields chain={chain} closed={closed} onChange={onChange} />
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
      {closed && <p className="w-full text-xs text-muted">{reason}</p>}
    </>
  )
}
