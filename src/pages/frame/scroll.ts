import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { isTyping } from './typed-keys.ts'

const places = new Map<string, number>()

/** Where the last document of this tab was scrolled to, and its address. */
const leftAt = 'ridgeline.scroll'

/** Whether this document was reloaded or opened from the history, so that its reader has seen it before. */
function isReopened(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return (entry as PerformanceNavigationTiming | undefined)?.type !== 'navigate'
}

/** For how long a page that opens may grow to the length that it had, in milliseconds. */
const growing = 20_000

/**
 * Scrolls to a place as far as the page reaches, and again whenever it grows, until the place is reached or the reader does
 * something. Returns what ends it.
 */
function scrollAsItGrows(top: number): () => void {
  const scroll = (): void => {
    scrollTo(0, top)
    if (Math.ceil(scrollY) >= top) stop()
  }
  const grown = new ResizeObserver(scroll)
  const doings = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
  const stop = (): void => {
    grown.disconnect()
    clearTimeout(timer)
    for (const doing of doings) removeEventListener(doing, stop)
  }
  const timer = setTimeout(stop, growing)
  for (const doing of doings) addEventListener(doing, stop, { passive: true })
  grown.observe(document.body)
  return stop
}

/**
 * Back, Forward and a reload restore the scroll position of a page; a new page starts at its top; a change of state within
 * a page keeps the position. Pages render from the cache at once, so their height is available.
 */
export function useScrollPlaces(): void {
  const { key, pathname } = useLocation()
  const type = useNavigationType()

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const [top, url] = sessionStorage.getItem(leftAt)?.split(' ') ?? []
    sessionStorage.removeItem(leftAt)
    const stop = isReopened() && url === location.href ? scrollAsItGrows(Number(top)) : undefined
    const keep = (): void => sessionStorage.setItem(leftAt, `${scrollY} ${location.href}`)
    addEventListener('pagehide', keep)
    return () => {
      stop?.()
      removeEventListener('pagehide', keep)
    }
  }, [])

  useLayoutEffect(() => {
    // The first page may have been scrolled before its code was there.
    if (places.size === 0) places.set(key, scrollY)
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
