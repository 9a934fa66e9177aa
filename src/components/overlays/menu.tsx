import { useRef, useState, type ComponentType, type ReactNode } from 'react'
import { lazy } from '../lazy.ts'
import type { MenuEntry, PopupProps } from './popups.tsx'
import { LazyPart } from '../part.tsx'

/**
 * The popup of a menu. Positioning and the handling of the focus (Base UI) are 45 kB after gzip: they load on the first
 * hover or focus of a button.
 */
export const MenuPopup = lazy(() => import('./popups.tsx'), 'MenuPopup')

type Props = {
  /** The button's accessible name. */
  label: string
  /** The button's content. */
  children: ReactNode
  className?: string
  align?: 'start' | 'end'
} & (
  | { entries: () => readonly MenuEntry[]; popup?: never }
  /** A `MenuPopup` with its entries, in a component of its own, so that hooks can give them. */
  | { popup: ComponentType<PopupProps>; entries?: never }
)

/** A button that opens a menu: arrow keys, type-ahead and Escape follow the ARIA pattern. */
export function Menu({
  label,
  children,
  entries,
  popup: Popup,
  className = 'control',
  align = 'end',
}: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const shared = { label, anchor: button, align, onClose: () => setOpen(false) }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        title={label}
        className={className}
        onPointerEnter={MenuPopup.prefetch}
        onFocus={MenuPopup.prefetch}
        onClick={() => setOpen((now) => !now)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </button>
      {open && (
        <LazyPart title="The menu" floats>
          {Popup ? <Popup {...shared} /> : <MenuPopup {...shared} entries={entries()} />}
        </LazyPart>
      )}
    </>
  )
}
