import { useState } from 'react'
import { useOffers } from '../../../api/current.ts'
import { Button } from '../../../components/controls.tsx'
import { BellIcon } from '../../../components/icons.ts'
import { lazy } from '../../../components/lazy.ts'
import { Dialog, prefetchDialog } from '../../../components/overlays/dialog.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import type { WarnSubject } from './conditions.ts'

const WarnForm = lazy(() => import('./warn-form.tsx'), 'WarnForm')

/** A button that sets up an alarm about what a page shows, in one dialog. */
export function WarnMe({ subject }: { subject: WarnSubject }) {
  const offered = useOffers('createWatchRule', subject.network)
  const [open, setOpen] = useState(false)
  if (!offered) return null
  const prefetch = (): void => {
    prefetchDialog()
    WarnForm.prefetch()
  }
  return (
    <>
      <Button onPointerEnter={prefetch} onFocus={prefetch} onClick={() => setOpen(true)}>
        <BellIcon size={14} />
        Warn me
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`Warn me about ${subject.name}`}>
        <LazyPart title="The form" fallback={<SkeletonRows count={4} />}>
          <WarnForm subject={subject} onClose={() => setOpen(false)} />
        </LazyPart>
      </Dialog>
    </>
  )
}
