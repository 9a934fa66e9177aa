import { useState, type ComponentProps } from 'react'
import { lazy } from '../../../components/lazy.ts'
import { prefetchDialog } from '../../../components/overlays/dialog.tsx'
import { Button } from '../../../components/controls.tsx'
import { LazyPart } from '../../../components/part.tsx'
import type { SilenceTarget } from './silence-dialog.tsx'

const Form = lazy(() => import('./silence-dialog.tsx'), 'SilenceDialog')

/** A dialog that silences a fleet, a rule or a member until an end; its code loads when one is opened. */
export const SilenceDialog = (props: ComponentProps<typeof Form>) => (
  <LazyPart title="The dialog" floats>
    <Form {...props} />
  </LazyPart>
)

/** Silences a fleet, a rule or a member until an end. */
export function SilenceButton({ what, target }: { what: string; target: SilenceTarget }) {
  const [open, setOpen] = useState(false)
  const prefetch = (): void => {
    prefetchDialog()
    Form.prefetch()
  }
  return (
    <>
      <Button onPointerEnter={prefetch} onFocus={prefetch} onClick={() => setOpen(true)}>
        Silence …
      </Button>
      {open && <SilenceDialog what={what} target={target} onClose={() => setOpen(false)} />}
    </>
  )
}
