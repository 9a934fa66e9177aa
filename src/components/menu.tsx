import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'

/** One entry of a menu. A checked entry stays open when chosen, so that several can be changed at once. */
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
  | { kind: 'radio'; label: string; note?: string; icon?: ReactNode; checked: boolean; onSelect: () => void }
  | { kind: 'heading'; label: string }
  | { kind: 'separator' }

// The popup and its positioning are 55 kB gzipped: they come with the first pointer or focus on a button.
const load = () => import('./menu-popup.tsx')
const MenuPopup = lazy(() => load().then((module) => ({ default: module.MenuPopup })))

type Props = {
  /** The button's accessible name. */
  label: string
  /** What the button shows. */
  children: ReactNode
  entries: () => readonly MenuEntry[]
  className?: string
  align?: 'start' | 'end'
}

/** A button that opens a menu: arrows, type-ahead and Escape as the ARIA pattern has them. */
export function Menu({ label, children, entries, className = 'control', align = 'end' }: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const ahead = (): void => void load()
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
        onPointerEnter={ahead}
        onFocus={ahead}
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
        <Suspense fallback={null}>
          <MenuPopup
            label={label}
            anchor={button}
            align={align}
            entries={entries()}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
