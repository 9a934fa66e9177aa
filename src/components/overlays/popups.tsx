import { Dialog } from '@base-ui/react/dialog'
import { Menu } from '@base-ui/react/menu'
import type { ReactNode, RefObject } from 'react'
import { useNavigate } from 'react-router'
import { CheckIcon, CloseIcon } from '../icons.ts'

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

/** An entry of a menu. Choosing a checked entry keeps the menu open, so that several can be changed. */
export type MenuEntry =
  | {
      kind: 'action'
      label: string
      note?: string
      icon?: ReactNode
      disabled?: boolean
      onSelect: () => void
    }
  | { kind: 'link'; label: string; note?: string; icon?: ReactNode; to: string }
  | {
      kind: 'check'
      label: string
      checked: boolean
      disabled?: boolean
      onChange: (checked: boolean) => void
    }
  | {
      kind: 'radio'
      label: string
      note?: string
      icon?: ReactNode
      checked: boolean
      disabled?: boolean
      onSelect: () => void
    }
  | { kind: 'heading'; label: string }
  | { kind: 'separator' }

export type PopupProps = {
  label: string
  anchor: RefObject<HTMLButtonElement | null>
  align: 'start' | 'end'
  onClose: () => void
}

type Props = PopupProps & { entries: readonly MenuEntry[] }

const row =
  'flex min-h-8 cursor-default items-center gap-2 rounded-small px-2 py-1 outline-none data-highlighted:bg-hover data-disabled:text-muted'

function Words({ label, note }: { label: string; note?: string | undefined }) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="truncate">{label}</span>
      {note && <span className="text-xs text-muted">{note}</span>}
    </span>
  )
}

const tick = (checked: boolean) => (
  <span className="size-4 shrink-0">{checked && <CheckIcon className="text-accent" />}</span>
)

function Entry({ entry }: { entry: MenuEntry }) {
  const navigate = useNavigate()
  switch (entry.kind) {
    case 'separator':
      return <Menu.Separator className="-mx-1 my-1 border-t border-line" />
    case 'heading':
      return <div className="px-2 pt-2 pb-1 text-xs text-muted">{entry.label}</div>
    case 'check':
      return (
        <Menu.CheckboxItem
          className={row}
          checked={entry.checked}
          disabled={entry.disabled ?? false}
          closeOnClick={false}
          onCheckedChange={entry.onChange}
        >
          {tick(entry.checked)}
          <Words label={entry.label} />
        </Menu.CheckboxItem>
      )
    case 'radio':
      return (
        <Menu.Item
          className={row}
          disabled={entry.disabled ?? false}
          onClick={entry.onSelect}
          {...(entry.checked && { 'aria-current': true })}
        >
          {tick(entry.checked)}
          {entry.icon}
          <Words label={entry.label} note={entry.note} />
        </Menu.Item>
      )
    case 'link':
      return (
        <Menu.Item className={row} onClick={() => void navigate(entry.to)}>
          {entry.icon}
          <Words label={entry.label} note={entry.note} />
        </Menu.Item>
      )
    case 'action':
      return (
        <Menu.Item className={row} disabled={entry.disabled ?? false} onClick={entry.onSelect}>
          {entry.icon}
          <Words label={entry.label} note={entry.note} />
        </Menu.Item>
      )
  }
}

/** The open menu of a button (menu.tsx). */
export function MenuPopup({ label, anchor, align, entries, onClose }: Props) {
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(open, details) => {
        // A press on the menu's own button is left to that button's click, which follows.
        const target = details.event.target
        const own = target instanceof Node && anchor.current?.contains(target) === true
        if (!open && !(own && details.reason === 'outside-press')) onClose()
      }}
    >
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} align={align} sideOffset={4} className="z-50 outline-none">
          <Menu.Popup
            aria-label={label}
            finalFocus={anchor}
            className="max-h-[min(70vh,480px)] max-w-[min(360px,calc(100vw-16px))] min-w-48 overflow-y-auto rounded-base border border-line bg-raised p-1 shadow-float outline-none"
          >
            {entries.map((entry, index) => (
              <Entry key={'label' in entry ? `${entry.kind}:${entry.label}` : index} entry={entry} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
