import { useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMedia } from '../../components/hooks.ts'
import { SearchIcon } from '../../components/icons.ts'
import { opensExact, paths } from '../../lib/paths.ts'
import { isTyping } from './typed-keys.ts'

// The list below the field, and the search itself, load on the first hover or focus.
const load = () => import('./search-field.tsx')
type SearchField = Awaited<ReturnType<typeof load>>['SearchField']

/** Label and placeholder of the search field, the same before and after its code has loaded. */
function useSearchWords(): { label: string; placeholder: string } {
  return {
    label: 'Search by height, hash, address, name or ID',
    placeholder: useMedia('(max-width: 1099.98px)') ? 'Search' : 'Height, hash, address or name',
  }
}

/** The search field of the top bar; `/` focuses it from anywhere. */
export function SearchBox() {
  const [text, setText] = useState('')
  const [loaded, setLoaded] = useState<{ Field: SearchField; focused: boolean }>()
  const field = useRef<HTMLInputElement>(null)
  const words = useSearchWords()
  const navigate = useNavigate()
  // The plain field stays until the code has loaded, with the focus and what is typed meanwhile.
  const use = (): void =>
    void load().then(
      ({ SearchField }) =>
        setLoaded({ Field: SearchField, focused: document.activeElement === field.current }),
      // Without the list, the field still opens the page of results.
      () => undefined,
    )

  // With the first paint: a passive effect would miss a key that is pressed as soon as the field is seen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  const idle = (
    <div className="relative flex min-w-0 flex-1 items-center">
      <span className="pointer-events-none absolute left-2.5 text-muted">
        <SearchIcon />
      </span>
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-label={words.label}
        aria-expanded="false"
        aria-controls="search-list"
        autoComplete="off"
        placeholder={words.placeholder}
        value={text}
        onPointerEnter={() => void load()}
        onFocus={use}
        // Left before the other field is drawn: it takes no focus that is elsewhere by then.
        onBlur={() => setLoaded((now) => now && { ...now, focused: false })}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return
          setText('')
          event.currentTarget.blur()
          void navigate(paths.search({ q: text.trim() }), { state: opensExact })
        }}
        className="field w-full pr-2 pl-8 lg:pr-9 [&::-webkit-search-cancel-button]:hidden"
      />
    </div>
  )
  return (
    // In a narrow window the list of results is placed by the whole bar.
    <search className="flex min-w-0 flex-1 items-center lg:relative md:max-w-[520px]">
      {loaded ? (
        <loaded.Field {...words} text={text} onText={setText} field={field} focused={loaded.focused} />
      ) : (
        idle
      )}
      <kbd className="pointer-events-none absolute right-2 rounded-small border border-line px-1.5 text-xs text-muted max-lg:hidden">
        /
      </kbd>
    </search>
  )
}
