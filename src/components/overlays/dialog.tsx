import type { DialogProps } from './popups.tsx'
import { lazy } from '../lazy.ts'
import { LazyPart } from '../part.tsx'

// Positioning and the handling of the focus (Base UI) are 45 kB after gzip: they load before the first popup opens.
const DialogPopup = lazy(() => import('./popups.tsx'), 'DialogPopup')

/** Loads the dialog's code before a click opens one. */
export const prefetchDialog = DialogPopup.prefetch

/** A modal dialog: it traps the focus, Escape and a click outside close it, and the focus returns. */
export function Dialog(props: DialogProps) {
  return props.open ? (
    <LazyPart title="The dialog" floats>
      <DialogPopup {...props} />
    </LazyPart>
  ) : null
}
