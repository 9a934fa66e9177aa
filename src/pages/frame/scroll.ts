import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { isTyping } from './typed-keys.ts'

const places = new Map<string, number>()

/**
 * Back and Forward restore the scroll position of a page; a new page starts at its top; a change of state within a
 * page keeps the position. Pages render from the cache at once, so their height is available.
 */
export function useScrollPlaces(): void {
  const { key, pathname } = useLocation()
  const type = useNavigationType()

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const reload = sessionStorage.getItem('ridgeline.scroll')
    sessionStorage.removeItem('ridgeline.scroll')
    if (reload !== null) scrollTo(0, Number(reload))
    const keep = (): void => sessionStorage.setItem('ridgeline.scroll', String(scrollY))
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [])

  useLayoutEffect(() => {
    if (type === 'POP') scrollTo(0, places.get(key) ?? 0)
    const note = (): void => void places.set(key, scrollY)
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [key, type])

  useLayoutEffect(() => {
    if (type === 'PUSH') scrollTo(0, 0)
    // A change of the query alone is not a new page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname])
}

/**
 * Moves the focus to the heading of a new page, so that a screen reader says where one is and the next Tab starts there.
 * Back and Forward do so only if nothing of the page has taken the focus, as a table's row does. A field that was
 * entered while the page loaded keeps it, or what is typed would be lost.
 */
export function useHeadingFocus(): void {
  const { pathname } = useLocation()
  const type = useNavigationType()
  const shown = useRef(pathname)
  useEffect(() => {
    // The first page is read from its top anyway.
    if (shown.current === pathname) return undefined
    shown.current = pathname
    // A dialog that closes, or a table that restores its row, moves the focus in the meantime.
    const timer = setTimeout(() => {
      const focused = document.activeElement
      const isFree = focused === null || focused === document.body
      if (isTyping(focused) || (type === 'POP' && !isFree)) return
      const heading = document.querySelector<HTMLElement>('#main h1') ?? document.getElementById('main')
      if (heading === null) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }, 0)
    return () => clearTimeout(timer)
    // Only another page counts, not how one came to it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname])
}
