import { useState } from 'react'
import { prefetchDialog } from '../../../components/overlays/dialog.tsx'
import { Button } from '../../../components/controls.tsx'
import { SilenceDialog, type SilenceTarget } from './silence-dialog.tsx'

/** Silences a fleet, a rule or a member until an end. */
export function SilenceButton({ what, target }: { what: string; target: SilenceTarget }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onPointerEnter={prefetchDialog} onFocus={prefetchDialog} onClick={() => setOpen(true)}>
        Silence …
      </Button>
      {open && <SilenceDialog what={what} target={target} onClose={() => setOpen(false)} />}
    </>
  )
}
