import { useId } from 'react'
import { Button, Input } from '../../../components/controls.tsx'
import { safeText } from '../../../lib/text.ts'
import { hintOf } from './arguments.ts'
import { emptyValue, itemOf, maxItems, withPart, type Parameter, type Typed } from './parameters.ts'

type Props = {
  parameter: Parameter
  /** What the field is called if the ABI has no name for it. */
  fallback: string
  typed: Typed
  /** The place of the field, by which errors are told. */
  place: string
  wrong: ReadonlyMap<string, string>
  onChange: (typed: Typed) => void
}

function Name({ parameter, fallback }: Pick<Props, 'parameter' | 'fallback'>) {
  return (
    <span className="text-muted">
      {safeText(parameter.name, 40) || fallback}{' '}
      <span className="font-mono text-xs break-all">{parameter.type}</span>
    </span>
  )
}

function TextField({ parameter, fallback, typed, place, wrong, onChange }: Props & { typed: string }) {
  const id = useId()
  const error = wrong.get(place)
  return (
    <label className="flex w-full max-w-[64ch] flex-col gap-1">
      <Name parameter={parameter} fallback={fallback} />
      <Input
        mono
        placeholder={hintOf(parameter.type)}
        autoComplete="off"
        value={typed}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : id}
        onChange={onChange}
      />
      {error !== undefined && (
        <span id={id} role="alert" className="text-xs text-bad">
          {error}
        </span>
      )}
    </label>
  )
}

/** The field of a parameter; of a tuple, one for each part, and of a list, one for each item. */
export function ParameterField(props: Props) {
  const { parameter, fallback, typed, place, wrong, onChange } = props
  if (typeof typed === 'string') return <TextField {...props} typed={typed} />
  const listed = itemOf(parameter)
  const isOpen = listed !== undefined && listed.size === undefined
  return (
    <fieldset className="flex w-full min-w-0 flex-col items-start gap-2 border-l-2 border-line pl-3">
      <legend className="contents">
        <Name parameter={parameter} fallback={fallback} />
      </legend>
      {typed.map((part, index) => {
        const inner = listed?.item ?? parameter.components?.[index]
        return (
          inner && (
            // The items of a list have no other key than their place.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={index} className="flex w-full items-end gap-2">
              <ParameterField
                parameter={inner}
                fallback={listed ? `item ${index + 1}` : `part ${index + 1}`}
                typed={part}
                place={`${place}.${index}`}
                wrong={wrong}
                onChange={(next) => onChange(withPart(typed, index, next))}
              />
              {isOpen && (
                <Button
                  small
                  aria-label={`Remove item ${index + 1}`}
                  onClick={() => onChange(typed.filter((_, at) => at !== index))}
                >
                  Remove
                </Button>
              )}
            </div>
          )
        )
      })}
      {isOpen && (
        <Button
          small
          disabled={typed.length >= maxItems}
          onClick={() => onChange([...typed, emptyValue(listed.item)])}
        >
          Add an item
        </Button>
      )}
    </fieldset>
  )
}
