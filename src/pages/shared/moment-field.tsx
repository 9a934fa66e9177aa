import { useId, useState } from 'react'
import { blockBefore } from '../../api/evm/addresses-activity.ts'
import { momentForms, readMoment } from '../../lib/moment.ts'
import { settings } from '../../lib/storage/settings.ts'
import { useZone } from '../../components/hooks.ts'
import { useRequest } from '../../components/use-request.ts'
import { Button, Form, Input } from '../../components/controls.tsx'

const day = 86_400
const hint = `A height such as 1200, or a date: ${momentForms}`

/** Whether a date is the start or the end of a range: its first or its last block. */
export type Edge = 'first' | 'last'

/** The block of the input. `none` means that no indexed block is that old. */
type Resolved = { height: number } | 'none' | 'unreadable'

/**
 * The block of a height or date. A date is resolved by the service: the newest block of the day (or at the time) for
 * `last`, the oldest one not before it for `first`.
 */
export async function resolveBlock(
  chainId: string,
  text: string,
  edge: Edge,
  signal: AbortSignal,
): Promise<Resolved> {
  const digits = text.replace(/[,_\s]/g, '')
  if (/^\d{1,8}$/.test(digits)) return { height: Number(digits) }
  const moment = readMoment(text, settings.get().zone)
  if (moment === undefined) return 'unreadable'
  const before = edge === 'first' ? moment.at : moment.at + (moment.wholeDay ? day : 1)
  const found = await blockBefore(chainId, before, signal)
  if (edge === 'first') return { height: found === undefined ? 0 : found + 1 }
  return found === undefined ? 'none' : { height: found }
}

const errorTexts = {
  none: 'No indexed block is as old as that.',
  unreadable: 'Give a height or a date like 2025-11-03.',
} as const

type Props = {
  chainId: string
  label: string
  /** The button's text: “Show”. */
  action: string
  onHeight: (height: number) => void
}

/** A form for a block's height or a date; reports the height. */
export function MomentField({ chainId, label, action, onHeight }: Props) {
  const id = useId()
  const zone = useZone()
  const [text, setText] = useState('')
  const search = useRequest(async (_: void, signal) => {
    const found = await resolveBlock(chainId, text, 'last', signal)
    if (typeof found === 'string') throw new Error(errorTexts[found])
    return found.height
  })
  const submit = (): void =>
    search.mutate(undefined, {
      onSuccess: (height) => {
        setText('')
        onHeight(height)
      },
    })
  const wrong = search.error?.message
  return (
    <>
      <Form className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5" onSubmit={submit}>
        <label htmlFor={id} className="whitespace-nowrap text-muted">
          {label}
        </label>
        <Input
          id={id}
          className="h-7 w-36 px-1.5 max-md:w-28"
          placeholder="block or date"
          required
          title={`${hint} (${zone === 'utc' ? 'UTC' : 'local time'})`}
          value={text}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong === undefined ? undefined : `${id}-wrong`}
          onChange={(typed) => {
            setText(typed)
            search.reset()
          }}
        />
        <Button type="submit" small disabled={search.isPending}>
          {action}
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
