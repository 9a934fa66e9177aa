import { Fragment, useId, type ReactNode } from 'react'
import { formatInteger } from '../../lib/amounts.ts'
import type { FormField } from './document.ts'

type Props = {
  field: FormField
  value: string
  /** The value that is sent for an empty field, because the page knows it. */
  known: string | undefined
  error: string | undefined
  onValue: (text: string) => void
}

function boundsOf({ min, max, kind, isRequired, default: otherwise }: FormField): string {
  const limit = (value: number): string =>
    Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '2^53 − 1' : formatInteger(value)
  const range =
    min !== undefined && max !== undefined
      ? `${limit(min)} to ${limit(max)}`
      : min !== undefined
        ? `at least ${limit(min)}`
        : max === undefined
          ? ''
          : `at most ${limit(max)}`
  const kinds: Partial<Record<FormField['kind'], string>> = {
    json: 'JSON',
    integer: 'whole number',
    number: 'number',
  }
  return [kinds[kind], range, otherwise !== undefined && `default ${otherwise}`, isRequired && 'required']
    .filter(Boolean)
    .join(', ')
}

function Control({ field, value, known, error, onValue, id }: Props & { id: string }) {
  const { kind, options, isRequired, example, default: otherwise } = field
  const shared = {
    id,
    'aria-invalid': error !== undefined,
    'aria-describedby': `${id}-about`,
    'aria-required': isRequired,
  }
  const placeholder = known ?? otherwise ?? example ?? ''
  if (kind === 'choice' || kind === 'flag')
    return (
      <select
        {...shared}
        className="field w-full"
        value={value}
        onChange={(event) => onValue(event.target.value)}
      >
        <option value="">{placeholder === '' ? 'not given' : `not given (${placeholder})`}</option>
        {(kind === 'flag' ? ['true', 'false'] : options).map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  if (kind === 'choices') {
    const chosen = value.split(',').filter(Boolean)
    return (
      <select
        {...shared}
        multiple
        size={5}
        className="field h-auto w-full py-1"
        value={chosen}
        onChange={(event) =>
          onValue([...event.target.selectedOptions].map((option) => option.value).join(','))
        }
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  const text = { ...shared, placeholder, value, spellCheck: false, autoComplete: 'off' }
  if (kind === 'json' || (field.maxLength ?? 0) > 10_000)
    return (
      <textarea
        {...text}
        rows={3}
        className="field h-auto w-full resize-y py-1.5 font-mono text-mono break-all"
        onChange={(event) => onValue(event.target.value)}
      />
    )
  return (
    <input
      {...text}
      className="field w-full font-mono text-mono"
      inputMode={kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : 'text'}
      onChange={(event) => onValue(event.target.value)}
    />
  )
}

/** A name that may be broken before each of its words: quorum|Percentage|Buffer. */
const wordsOf = (name: string): ReactNode =>
  name.split(/(?=[A-Z])/).map((word, place) => (
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {word}
    </Fragment>
  ))

/** One parameter of an operation with its type, bounds, default and meaning. */
export function FieldRow(props: Props) {
  const id = useId()
  const { field, error } = props
  const bounds = boundsOf(field)
  return (
    <div className="grid min-w-0 grid-cols-1 gap-x-6 gap-y-1 border-b border-line py-2 md:grid-cols-[200px_minmax(0,1fr)] xl:grid-cols-[148px_minmax(0,1fr)]">
      <label htmlFor={id} className="py-1.5 font-mono text-mono wrap-anywhere">
        {wordsOf(field.name)}{' '}
        {field.place !== 'query' && <span className="inline-block text-xs text-muted">{field.place}</span>}
      </label>
      <div className="flex min-w-0 flex-col gap-1">
        <Control {...props} id={id} />
        <p id={`${id}-about`} className="text-xs break-words text-muted">
          {error !== undefined && (
            <span role="alert" className="block text-bad">
              {error}
            </span>
          )}
          {field.description !== undefined && <span className="block">{field.description}</span>}
          {bounds}
        </p>
      </div>
    </div>
  )
}
