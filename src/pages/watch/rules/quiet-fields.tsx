import { Check } from '../shared/acts.tsx'
import { Input } from '../../../components/controls.tsx'
import { weekDays, type RuleDraft, type Wrong } from './draft.ts'
import { Field } from '../shared/acts.tsx'

type Props = {
  draft: RuleDraft
  wrong: Wrong
  onChange: (patch: Partial<RuleDraft>) => void
}

/** The time zones that the browser knows. */
const zones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** When a rule does not send: a period of the day, in a time zone, on some days. */
export function QuietFields({ draft, wrong, onChange }: Props) {
  const complaint = wrong.quietFrom ?? wrong.quietTo ?? wrong.timeZone ?? wrong.quietDays
  return (
    <div className="flex flex-col gap-2">
      <Check
        label="Quiet hours: show alarms, send nothing"
        checked={draft.isQuiet}
        onChange={(isQuiet) => onChange({ isQuiet })}
      />
      {draft.isQuiet && (
        <>
          <div className="flex flex-wrap gap-3">
            <Field label="From">
              <Input
                type="time"
                value={draft.quietFrom}
                onChange={(typed) => onChange({ quietFrom: typed })}
              />
            </Field>
            <Field label="To">
              <Input type="time" value={draft.quietTo} onChange={(typed) => onChange({ quietTo: typed })} />
            </Field>
            <Field label="Time zone" grow>
              <Input
                className="w-full"
                list="watch-zones"
                spellCheck={false}
                aria-invalid={wrong.timeZone !== undefined}
                value={draft.timeZone}
                onChange={(typed) => onChange({ timeZone: typed })}
              />
            </Field>
            <datalist id="watch-zones">
              {zones().map((zone) => (
                <option key={zone} value={zone}>
                  {zone}
                </option>
              ))}
            </datalist>
          </div>
          <fieldset className="m-0 flex flex-wrap gap-x-3 border-0 p-0">
            <legend className="text-xs text-muted">Days on which they begin</legend>
            {weekDays.map((day, index) => (
              <Check
                key={day}
                label={day}
                checked={draft.quietDays.includes(index + 1)}
                onChange={(isOn) =>
                  onChange({
                    quietDays: isOn
                      ? [...draft.quietDays, index + 1]
                      : draft.quietDays.filter((each) => each !== index + 1),
                  })
                }
              />
            ))}
          </fieldset>
          <p className="text-xs text-muted">Alarms that are still open at their end are sent then.</p>
          {complaint !== undefined && (
            <p role="alert" className="text-xs text-bad">
              {complaint}
            </p>
          )}
        </>
      )}
    </div>
  )
}
