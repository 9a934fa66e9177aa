import { useState } from 'react'
import { useOffers } from '../../../api/current.ts'
import { Button } from '../../../components/controls.tsx'
import { BellIcon } from '../../../components/icons.ts'
import { lazy } from '../../../components/lazy.ts'
import { LazyPart } from '../../../components/part.tsx'
import type { WarnSubject } from './conditions.ts'

const WarnDialog = lazy(() => import('./warn-form.tsx'), 'WarnDialog')
const { prefetch } = WarnDialog

/** A button that sets up an alarm about what a page shows, in one dialog. */
export function WarnMe({ subject }: { subject: WarnSubject }) {
  const offered = useOffers('createWatchRule', 'network' in subject ? subject.network : undefined)
  const [open, setOpen] = useState(false)
  return offered ? (
    <>
      <Button onPointerEnter={prefetch} onFocus={prefetch} onClick={() => setOpen(true)}>
        <BellIcon size={14} />
        Warn me
      </Button>
      {open && (
        <LazyPart title="The form" floats>
          <WarnDialog subject={subject} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  ) : null
}
