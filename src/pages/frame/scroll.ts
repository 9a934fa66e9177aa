import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

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
