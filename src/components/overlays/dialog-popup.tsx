import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { CloseIcon } from '../icons.ts'

export type DialogProps = {
  open: boolean
  onClose: () => void
  /** The dialog's accessible name, also its heading unless it is `bare`. */
  title: string
  /** Without heading and padding: the content is the whole dialog. */
  bare?: boolean
  /** Centred, or a sheet at the left edge. */
  place?: 'middle' | 'left'
  children: ReactNode
}

const places = {
  middle: 'top-[12vh] left-1/2 w-[min(640px,calc(100vw-24px))] -translate-x-1/2 max-h-[76vh] rounded-base',
  left: 'inset-y-0 left-0 w-[min(300px,86vw)]',
}

/** The open dialog (dialog.tsx). */
export function DialogPopup({ onClose, title, bare = false, place = 'middle', children }: DialogProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[#00000066]" />
        <Dialog.Popup
          className={`fixed z-50 flex flex-col overflow-hidden border border-line bg-raised shadow-float outline-none ${places[place]}`}
        >
          {bare ? (
            <Dialog.Title className="sr-only">{title}</Dialog.Title>
          ) : (
            <div className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-4">
              <Dialog.Title className="text-h3 font-strong">{title}</Dialog.Title>
              <Dialog.Close aria-label="Close" className="control size-8 border-transparent px-0">
                <CloseIcon />
              </Dialog.Close>
            </div>
          )}
          <div className={`min-h-0 overflow-y-auto ${bare ? '' : 'p-4'}`}>{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
