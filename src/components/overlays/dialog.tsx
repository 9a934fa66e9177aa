import type { DialogProps } from './dialog-popup.tsx'
import { lazy } from '../lazy.ts'
import { LazyPart } from '../part.tsx'

// The dialog's focus handling comes when the first one opens.
const load = () => import('./dialog-popup.tsx')
const DialogPopup = lazy(() => load().then((module) => ({ default: module.DialogPopup })))

/** Prefetches the dialog's code before the click that opens one. */
export const preloadDialog = (): void =>
  void load().catch(() => {
    // It is told when one opens.
  })

/** A modal dialog: the focus stays inside, Escape and a press outside close it, the focus goes back. */
export function Dialog(props: DialogProps) {
  return props.open ? (
    <LazyPart title="The dialog" floats>
      <DialogPopup {...props} />
    </LazyPart>
  ) : null
}
