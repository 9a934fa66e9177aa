import { useState } from 'react'
import { useOffers } from '../../../api/current.ts'
import { Button } from '../../../components/controls.tsx'
import { lazy } from '../../../components/lazy.ts'
import { LazyPart } from '../../../components/part.tsx'
import type { Subject } from './activity.tsx'

const LabelDialog = lazy(() => import('./label-dialog.tsx'), 'LabelDialog')
const { prefetch } = LabelDialog

type Props = Subject & {
  /** What the button says. */
  text: string
  /** A name to begin with. */
  name?: string
}

/** A button that says what an address is, for everybody who uses the service. */
export function LabelMe({ text, ...subject }: Props) {
  const offered = useOffers('setAddressLabel')
  const [open, setOpen] = useState(false)
  return offered ? (
    <>
      <Button onPointerEnter={prefetch} onFocus={prefetch} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {open && (
        <LazyPart title="The form" floats>
          <LabelDialog {...subject} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  ) : null
}
