import { lazy, Suspense, type ReactNode } from 'react'

// The dialog's focus handling comes when the first one opens.
const load = () => import('./dialog-popup.tsx')
const DialogPopup = lazy(() => load().then((module) => ({ default: module.DialogPopup })))

/** Fetches the dialog's code ahead of the click that opens one. */
export const preloadDialog = (): void => void load()

export type DialogProps = {
  open: boolean
  onClose: () => void
  /** The dialog's accessible name; shown as its heading unless it is `bare`. */
  title: string
  /** No heading and no padding: the content is the dialog. */
  bare?: boolean
  /** In the middle, or a sheet at the left edge. */
  place?: 'middle' | 'left'
  children: ReactNode
}

/** A modal dialog: the focus stays inside, Escape and a press outside close it, the focus goes back. */
export function Dialog(props: DialogProps) {
  return props.open ? (
    <Suspense fallback={null}>
      <DialogPopup {...props} />
    </Suspense>
  ) : null
}
