import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { isForbidden, refreshWatch } from '../../../api/watch/call.ts'
import { Dialog, prefetchDialog } from '../../../components/overlays/dialog.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { Button, Form } from '../../../components/controls.tsx'

type OutcomeProps = {
  request: Pick<UseMutationResult<unknown, Error>, 'isPending' | 'error'>
  /** What is said after success. */
  done?: ReactNode
}

/** Why a change was refused or failed, in words. */
export function reasonOf(error: Error): string {
  return isForbidden(error)
    ? `${error.message} Changes need the local token: open the link that “npm start” prints in this browser.`
    : error.message
}

/** The outcome of a change, announced to screen readers. */
export function Outcome({ request: { isPending, error }, done }: OutcomeProps) {
  if (error)
    return (
      <p role="alert" className="min-w-0 text-xs wrap-anywhere text-bad">
        {reasonOf(error)}
      </p>
    )
  return <output className="min-w-0 text-xs wrap-anywhere text-muted">{isPending ? 'Saving …' : done}</output>
}

type FormEndProps = {
  /** The text of the button that sends the form. */
  label: string
  request: OutcomeProps['request']
  /** What is said after success, where the form stays. */
  done?: ReactNode
  onClose: () => void
  /** The text of the button that leaves the form. */
  leave?: string
}

/** The end of a form: what became of sending it, its button, and Cancel. */
export function FormEnd({ label, request, done, onClose, leave = 'Cancel' }: FormEndProps) {
  return (
    <>
      <Outcome request={request} done={done} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" className="border-accent text-accent" disabled={request.isPending}>
          {label}
        </Button>
        <Button onClick={onClose}>{leave}</Button>
      </div>
    </>
  )
}

type BoxedFormProps = Omit<FormEndProps, 'label'> & {
  /** The accessible name of the form. */
  name: string
  /** The text of its button. */
  act: string
  onSubmit: () => void
  /** What must be given before it can be sent, as a sentence. */
  missing?: string | undefined
  className?: string
  /** The fields; `tried`: whether it was sent with something missing, so that fields show what is wrong with them. */
  children: (tried: boolean) => ReactNode
}

/** A form in a box of the page, with its end. Sent too early it says what is missing. */
export function BoxedForm({
  name,
  act,
  onSubmit,
  missing,
  className = 'mb-4',
  children,
  ...end
}: BoxedFormProps) {
  const [tried, setTried] = useState(false)
  return (
    <Form
      aria-label={name}
      className={`flex max-w-[80ch] flex-col gap-3 rounded-base border border-line p-4 ${className}`}
      onSubmit={() => {
        setTried(missing !== undefined)
        if (missing === undefined) onSubmit()
      }}
    >
      {children(tried)}
      {tried && missing !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {missing}
        </p>
      )}
      <FormEnd label={act} {...end} />
    </Form>
  )
}

/** A change of the watch (see `useRequest`); whatever is shown of the watch is read again after it. */
export function useChange<Result, Input = void>(run: (input: Input, signal: AbortSignal) => Promise<Result>) {
  return useRequest<Result, Input>(async (input, signal) => {
    const result = await run(input, signal)
    refreshWatch()
    return result
  })
}

type ConfirmDialogProps = {
  /** The text of the confirming button. */
  label: string
  title: string
  /** What will happen. */
  children: ReactNode
  run: (signal: AbortSignal) => Promise<unknown>
  /** The id of what is gone afterwards. */
  gone?: string
  onDone?: () => void
  open: boolean
  onClose: () => void
}

/** Asks before something is changed that can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { label, title, children, run, gone, onDone, open, onClose } = props
  const change = useRequest(async (_: void, signal) => {
    await run(signal)
    refreshWatch(gone)
  })
  const close = (): void => {
    onClose()
    change.cancel()
  }
  return (
    <Dialog open={open} onClose={close} title={title}>
      <div className="flex flex-col gap-3">
        {children}
        <Outcome request={change} />
        <div className="flex flex-wrap gap-2">
          <Button
            className="border-bad text-bad"
            disabled={change.isPending}
            onClick={() =>
              change.mutate(undefined, {
                onSuccess: () => {
                  onClose()
                  onDone?.()
                },
              })
            }
          >
            {label}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}

type ConfirmButtonProps = Omit<ConfirmDialogProps, 'open' | 'onClose'> & {
  /** The accessible name where the label is not enough. */
  name?: string
  className?: string
}

/** A button with such a dialog; its label is that of the confirming button, too. */
export function ConfirmButton({ name, className = 'control control-small', ...dialog }: ConfirmButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={className}
        {...(name !== undefined && { 'aria-label': name })}
        onPointerEnter={prefetchDialog}
        onFocus={prefetchDialog}
        onClick={() => setOpen(true)}
      >
        {dialog.label}
      </button>
      <ConfirmDialog {...dialog} open={open} onClose={() => setOpen(false)} />
    </>
  )
}

type FieldProps = {
  label: ReactNode
  /** What the field means, below it. */
  note?: ReactNode
  children: ReactNode
  grow?: boolean
}

/** A named field of a form: its label above it, a note below it. */
export function Field({ label, note, children, grow = false }: FieldProps) {
  return (
    <label className={`flex max-w-full min-w-0 flex-col gap-1 ${grow ? 'flex-1 basis-60' : ''}`}>
      <span className="text-xs text-muted">{label}</span>
      {children}
      {note !== undefined && <span className="text-xs wrap-anywhere text-muted">{note}</span>}
    </label>
  )
}

type CheckProps = { label: ReactNode; checked: boolean; onChange: (checked: boolean) => void }

export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="flex min-h-8 items-center gap-2">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}
