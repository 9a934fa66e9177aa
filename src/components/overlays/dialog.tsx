import type { DialogProps } from './dialog-popup.tsx'
import { lazy } from '../lazy.ts'
import { LazyPart } from '../part.tsx'

// The dialog's focus handling comes when the first one opens.
const DialogPopup = lazy(() =>
  import('./dialog-popup.tsx').then((module) => ({ default: module.DialogPopup })),
)

/** Fetches the dialog's code before the click that opens one. */
export const prefetchDialog = DialogPopup.prefetch

/** A modal dialog: the focus stays inside, Escape and a press outside close it, the focus goes back. */
export function Dialog(props: DialogProps) {
  return props.open ? (
    <LazyPart title="The dialog" floats>
      <DialogPopup {...props} />
    </LazyPart>
  ) : null
}
