import type { DialogProps } from './dialog-popup.tsx'
import { lazy } from '../lazy.ts'
import { LazyPart } from '../part.tsx'

// The code for focus handling loads when the first dialog opens.
const DialogPopup = lazy(() => import('./dialog-popup.tsx'), 'DialogPopup')

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
