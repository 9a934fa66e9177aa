import { useState } from 'react'
import { createSilence, type SilenceBody } from '../../../api/watch/alarms.ts'
import { useNow, useZone } from '../../../components/hooks.ts'
import { Dialog } from '../../../components/overlays/dialog.tsx'
import { readMoment } from '../../../lib/moment.ts'
import { formatTime } from '../../../lib/time.ts'
import { Choice } from '../../shared/choice.tsx'
import { Form, Input } from '../../../components/controls.tsx'
import { FormEnd, useChange, Field } from './acts.tsx'

const lengths = [
  { id: '1', label: '1 h' },
  { id: '4', label: '4 h' },
  { id: '24', label: '1 d' },
  { id: '168', label: '7 d' },
  { id: 'until', label: 'Until …' },
] as const
type Length = (typeof lengths)[number]['id']

export type SilenceTarget = Pick<SilenceBody, 'fleetId' | 'ruleId' | 'memberId'>

type Props = {
  /** What is silenced, for the title: “gamma”. */
  what: string
  target: SilenceTarget
  onClose: () => void
}

/** A dialog that silences a fleet, a rule or a member until an end. */
export function SilenceDialog({ what, target, onClose }: Props) {
  const now = useNow()
  const zone = useZone()
  const [length, setLength] = useState<Length>('4')
  const [until, setUntil] = useState('')
  const [comment, setComment] = useState('')
  const [tried, setTried] = useState(false)
  const moment = readMoment(until, zone)
  const end = length === 'until' ? moment?.at : now + Number(length) * 3_600
  const isLate = end !== undefined && end > now
  const silence = useChange((endTimestamp: number, signal) =>
    createSilence(
      { ...target, endTimestamp, ...(comment.trim() !== '' && { comment: comment.trim() }) },
      signal,
    ),
  )
  return (
    <Dialog open onClose={onClose} title={`Silence ${what}`}>
      <Form
        className="flex flex-col gap-3"
        onSubmit={() => {
          setTried(true)
          if (end !== undefined && isLate) silence.mutate(end, { onSuccess: onClose })
        }}
      >
        <p>
          Its alarms are still shown here and kept in the history, but no message is sent. Alarms that are
          still open at the end are sent then.
        </p>
        <Choice label="How long" options={lengths} current={length} onChange={setLength} />
        {length === 'until' && (
          <Field
            label="End"
            note={
              (until === '' && !tried) || moment ? (
                'A date like 2025-11-03 14:05'
              ) : (
                <span className="text-bad">Give a date like 2025-11-03 14:05.</span>
              )
            }
          >
            <Input value={until} aria-invalid={(tried || until !== '') && !isLate} onChange={setUntil} />
          </Field>
        )}
        <p className={end === undefined || isLate ? 'text-muted' : 'text-bad'}>
          {end === undefined
            ? ' '
            : isLate
              ? `Until ${formatTime(end, zone)}`
              : 'The end must be in the future.'}
        </p>
        <Field label="Comment">
          <Input maxLength={500} value={comment} onChange={setComment} />
        </Field>
        <FormEnd label="Silence" request={silence} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
