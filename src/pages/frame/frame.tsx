import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { lazy } from '../../components/lazy.ts'
import type { Profile } from '../../../contract/profile.ts'
import { sessionQuery } from '../../api/chains.ts'
import { follow } from '../../api/events.ts'
import { Dialog, prefetchDialog } from '../../components/overlays/dialog.tsx'
import { Layers } from '../../components/overlays/layers.tsx'
import { MenuIcon } from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { useMedia } from '../../components/hooks.ts'
import { LazyPart } from '../../components/part.tsx'
import { waitFor } from '../../lib/connection.ts'
import { noteLeaving } from '../../lib/leaving.ts'
import { paths } from '../../lib/paths.ts'
import { SignedIn } from '../sign-in/signed-in.tsx'
import { WatchLate } from '../watch/late/late.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { useChainFollowing } from './following.ts'
import { Freshness, Standing } from './freshness.tsx'
import { NavList } from './nav.tsx'
import { RateLimitNotice, SessionFailed } from './notices.tsx'
import { Preferences } from './preferences.tsx'
import { useHeadingFocus, useScrollPlaces } from './scroll.ts'
import { SearchBox } from './search-box.tsx'
import { Switcher } from './switcher.tsx'
import { isTyping, typedKeys } from './typed-keys.ts'

const Palette = lazy(() => import('./palette.tsx'), 'Palette')
const Help = lazy(() => import('./help.tsx'), 'Help')

function Brand({ size }: { size: 'full' | 'icons' }) {
  return (
    <Link
      to={paths.overview()}
      aria-label="Ridgeline, overview"
      className={`flex h-8 items-center gap-2.5 text-h3 font-strong ${size === 'full' ? 'px-3' : 'justify-center'}`}
    >
      <svg viewBox="0 0 20 16" width={20} height={16} aria-hidden="true" className="shrink-0 text-accent">
        <path
          d="M1 14 7 3l4 6 3-4 5 9"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      </svg>
      {size === 'full' && <span>Ridgeline</span>}
    </Link>
  )
}

function usePaletteKey(open: () => void): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      ) {
        typedKeys.all?.push(event)
        return
      }
      event.preventDefault()
      typedKeys.all = []
      open()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open])
}

/** Opens the help on `?`, unless it is typed into a field. */
function useHelpKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open])
}

/** True once the first page has loaded. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return settled
}

/** Live updates of the profile, started after the first page has loaded. */
function useLiveUpdates(settled: boolean, profile: Profile | undefined): void {
  useEffect(() => (settled && profile ? follow(profile) : undefined), [settled, profile])
}

/** What no page needs for its first paint: tooltips and highlights, the watch, the current chain. */
function Late() {
  useChainFollowing()
  return (
    <>
      <Layers />
      <WatchLate />
    </>
  )
}

/** Tracks that the page waits for another page's code, or for its own in another state. */
function useWaiting({ state, location }: ReturnType<typeof useNavigation>): void {
  const { pathname } = useLocation()
  const busy = state !== 'idle'
  const leaving = location !== undefined && location.pathname !== pathname
  useEffect(() => (busy ? waitFor() : undefined), [busy])
  useEffect(() => (leaving ? noteLeaving() : undefined), [leaving])
}

const skip = 'control fixed top-2 left-2 z-60 -translate-y-20 focus:translate-y-0'
const firstRow = (): HTMLElement | null => document.querySelector('#main [data-row="0"]')

/** The first tab stops of every page: links past the frame, and to the first row of a table where the page has one. */
function SkipLinks() {
  const [hasTable, setHasTable] = useState(false)
  return (
    <>
      <a
        href="#main"
        className={skip}
        onFocus={() => setHasTable(firstRow() !== null)}
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to content
      </a>
      {hasTable && (
        <a
          href="#main"
          className={skip}
          onClick={(event) => {
            event.preventDefault()
            firstRow()?.focus()
          }}
        >
          Skip to the table
        </a>
      )}
    </>
  )
}

/** The navigation beside a page; `shown` is the class that shows it. */
function Rail({ size, shown }: { size: 'full' | 'icons'; shown: string }) {
  return (
    <aside
      className={`sticky top-0 h-dvh shrink-0 flex-col gap-4 border-r border-line bg-sunken py-3 ${size === 'full' ? 'w-60 px-3' : 'w-14 px-2'} ${shown}`}
    >
      <Brand size={size} />
      <NavList size={size} />
    </aside>
  )
}

type BarProps = {
  /** What opens the navigation where it is not beside the page. */
  menu: ReactNode
  /** Buttons on the right. */
  tools?: ReactNode
  children?: ReactNode
}

/** The bar above a page: where one is, the search, and how fresh the page is. */
function Bar({ menu, tools, children }: BarProps) {
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-surface px-4 md:gap-3 md:px-6">
      {menu}
      <Switcher />
      <div className="flex min-w-26 flex-1">
        <SearchBox />
      </div>
      <div className="flex shrink-0 items-center gap-1 md:ml-auto">
        <Freshness />
        {tools}
      </div>
      {children}
    </header>
  )
}

const mainLook = 'mx-auto w-full max-w-[1440px] min-w-0 flex-1 px-4 py-5 outline-none md:px-6'

/**
 * The frame as the service draws it, which knows no width: the style sheet chooses among its forms. Nothing in it works
 * until `Frame` replaces it, so it takes no focus and nothing that is typed.
 */
export function DrawnFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh" inert>
      <Rail size="icons" shown="hidden md:max-[1099.98px]:flex" />
      <Rail size="full" shown="hidden min-[1100px]:flex" />
      <div className="flex min-w-0 flex-1 flex-col">
        <Bar
          menu={
            <span className="control shrink-0 border-transparent px-2 md:hidden">
              <MenuIcon />
            </span>
          }
        />
        <main className={mainLook}>
          <Standing />
          {children}
        </main>
      </div>
    </div>
  )
}

/** The frame of every page: navigation, top bar, layers, and the live connection. */
export function Frame() {
  const settled = useSettled()
  const session = useQuery(sessionQuery())
  useLiveUpdates(settled, session.data?.profile)
  useScrollPlaces()
  useHeadingFocus()
  const [sheet, setSheet] = useState(false)
  const [palette, setPalette] = useState(false)
  const [openPalette] = useState(() => () => setPalette(true))
  usePaletteKey(openPalette)
  const [help, setHelp] = useState(false)
  const [openHelp] = useState(() => () => setHelp(true))
  useHelpKey(openHelp)
  const navigation = useNavigation()
  const busy = navigation.state !== 'idle'
  useWaiting(navigation)
  const narrow = useMedia('(max-width: 767.98px)')
  const wide = useMedia('(min-width: 1100px)')

  return (
    <div className="flex min-h-dvh">
      <SkipLinks />
      {!narrow && <Rail size={wide ? 'full' : 'icons'} shown="flex" />}
      <div className="flex min-w-0 flex-1 flex-col">
        <Bar
          menu={
            narrow && (
              <button
                type="button"
                aria-label="Menu"
                aria-haspopup="dialog"
                className="control shrink-0 border-transparent px-2"
                onPointerEnter={prefetchDialog}
                onFocus={prefetchDialog}
                onClick={() => setSheet(true)}
              >
                <MenuIcon />
              </button>
            )
          }
          tools={
            <>
              {session.data?.profile.signIn && <SignedIn />}
              {!narrow && <Preferences />}
              {!narrow && (
                <button
                  type="button"
                  aria-label="Keys and mouse"
                  title="Keys and mouse (?)"
                  aria-haspopup="dialog"
                  className="control border-transparent px-2.5 pointer-coarse:hidden"
                  onPointerEnter={prefetchDialog}
                  onFocus={prefetchDialog}
                  onClick={openHelp}
                >
                  ?
                </button>
              )}
            </>
          }
        >
          {busy && (
            <div className="absolute inset-x-0 -bottom-px h-0.5 overflow-hidden">
              <div className="skeleton h-full w-full rounded-none bg-accent" />
              <output className="sr-only">Loading the page</output>
            </div>
          )}
        </Bar>
        <main id="main" tabIndex={-1} className={mainLook}>
          {session.error ? (
            <SessionFailed />
          ) : (
            <>
              <Standing />
              <Outlet />
            </>
          )}
        </main>
      </div>
      <Dialog open={sheet && narrow} onClose={() => setSheet(false)} title="Ridgeline" place="left">
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-2 border-b border-line pb-3">
            <Preferences onGo={() => setSheet(false)} />
          </div>
          <NavList size="full" onGo={() => setSheet(false)} />
        </div>
      </Dialog>
      <Dialog open={palette} onClose={() => setPalette(false)} title="Command palette" bare>
        <LazyPart title="The command palette" floats>
          <Palette onClose={() => setPalette(false)} />
        </LazyPart>
      </Dialog>
      <Dialog open={help} onClose={() => setHelp(false)} title="Keys and mouse">
        <LazyPart title="The help" fallback={null}>
          <Help />
        </LazyPart>
      </Dialog>
      <ConnectionNotice />
      <RateLimitNotice />
      {settled && <Late />}
    </div>
  )
}
