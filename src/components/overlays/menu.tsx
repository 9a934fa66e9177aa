import { useRef, useState, type ComponentType, type ReactNode } from 'react'
import { lazy } from '../lazy.ts'
import type { MenuEntry, PopupProps } from './menu-popup.tsx'
import { LazyPart } from '../part.tsx'

/** The popup of a menu, and what prefetches its code. */
type LazyPopup = { Popup: ComponentType<PopupProps>; prefetch: () => void }

// The popup and its positioning are 55 kB gzipped: they load on the first hover or focus of a button.
const loadPopup = () => import('./menu-popup.tsx')
const MenuPopup = lazy(() => loadPopup(), 'MenuPopup')

/** A popup whose entries are loaded on demand: `useEntries` runs while the menu is open. */
export function lazyPopup(load: () => Promise<{ useEntries: () => readonly MenuEntry[] }>): LazyPopup {
  const Popup = lazy(() =>
    Promise.all([loadPopup(), load()]).then(([{ MenuPopup: Shown }, { useEntries }]) => ({
      default: function EntriesPopup(props: PopupProps) {
        return <Shown {...props} entries={useEntries()} />
      },
    })),
  )
  return { Popup, prefetch: Popup.prefetch }
}

type Props = {
  /** The button's accessible name. */
  label: string
  /** The button's content. */
  children: ReactNode
  className?: string
  align?: 'start' | 'end'
} & ({ entries: () => readonly MenuEntry[]; popup?: never } | { popup: LazyPopup; entries?: never })

/** A button that opens a menu: arrow keys, type-ahead and Escape follow the ARIA pattern. */
export function Menu({ label, children, entries, popup, className = 'control', align = 'end' }: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { prefetch } = popup ?? MenuPopup
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
        onPointerEnter={prefetch}
        onFocus={prefetch}
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
          {popup ? <popup.Popup {...shared} /> : <MenuPopup {...shared} entries={entries()} />}
        </LazyPart>
      )}
    </>
  )
}
