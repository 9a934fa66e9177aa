import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { Dialog, prefetchDialog } from '../../../components/overlays/dialog.tsx'
import { Button } from '../../../components/controls.tsx'
import { reasonOf } from './node-failed.tsx'

type OutcomeProps = { request: Pick<UseMutationResult<string>, 'isPending' | 'data' | 'error'> }

/** The outcome of a request, announced to screen readers; its line is always reserved. */
export function OutcomeLine({ request: { isPending, data, error } }: OutcomeProps) {
  if (error)
    return (
      <p role="alert" className="min-h-5 min-w-0 text-xs break-words text-bad">
        {reasonOf(error)}
      </p>
    )
  return (
    <output className="block min-h-5 min-w-0 text-xs break-words text-muted">
      {isPending ? 'Asking the node …' : data}
    </output>
  )
}

type ConfirmProps = {
  open: boolean
  target: NodeTarget
  title: string
  /** The text of the confirming button: “Change the levels”. */
  action: string
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

/** Asks for confirmation before a change to a node, and names that node. */
export function Confirm({ open, target, title, action, onClose, onConfirm, children }: ConfirmProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="flex flex-col gap-3">
        {children}
        <p className="text-muted">
          On {target.name}
          {target.base !== '' && <span className="font-mono text-mono break-all"> {target.base}</span>}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            className="border-accent text-accent"
            onClick={() => {
              onClose()
              onConfirm()
            }}
          >
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}

type AskedProps = {
  target: NodeTarget
  label: string
  disabled?: boolean | undefined
  title: string
  children: ReactNode
  onConfirm: () => void
}

/** A button that asks for confirmation. */
export function AskedButton({ target, label, disabled = false, title, children, onConfirm }: AskedProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        disabled={disabled}
        onPointerEnter={prefetchDialog}
        onFocus={prefetchDialog}
        // Of fields beside it, those that are wrong say so first.
        onClick={({ currentTarget: { form } }) => form?.reportValidity() !== false && setOpen(true)}
      >
        {label}
      </Button>
      <Confirm
        open={open}
        target={target}
        title={title}
        action={label}
        onClose={() => setOpen(false)}
        onConfirm={onConfirm}
      >
        {children}
      </Confirm>
    </>
  )
}

/** A named field of a form, its label above it. */
export function Labelled({
  label,
  children,
  grow = false,
}: {
  label: string
  children: ReactNode
  grow?: boolean
}) {
  return (
    <label className={`flex min-w-0 flex-col gap-1 ${grow ? 'flex-1 basis-60' : ''}`}>
      <span className="text-xs text-muted">{label}</span>
      {children}
    </label>
  )
}
