import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCurrentChain } from '../../api/current.ts'
import { Combobox } from '../../components/combobox.tsx'
import { SearchIcon } from '../../components/icons.ts'
import { paths } from '../../paths.ts'
import { useSearchGroups } from './search-items.tsx'

/** Whether keys typed now belong to a field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement)
  )
}

/** The search field of the top bar; `/` puts the focus into it from anywhere. */
export function SearchBox() {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { chainId } = useCurrentChain()
  const { groups, status } = useSearchGroups(text, chainId)

  useEffect(() => {
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

  return (
    <search className="flex min-w-0 flex-1 md:max-w-[520px]">
      <Combobox
        label="Search by height, hash, address, name or id"
        placeholder="Height, hash, address or name"
        icon={<SearchIcon />}
        inputRef={field}
        floating
        value={text}
        onValue={setText}
        groups={groups}
        status={status}
        onSubmit={(value) => {
          setText('')
          void navigate(paths.search(value))
        }}
        onDone={() => {
          setText('')
          field.current?.blur()
        }}
        hint={
          <kbd className="pointer-events-none absolute right-2 rounded-small border border-line px-1.5 text-xs text-muted max-md:hidden">
            /
          </kbd>
        }
      />
    </search>
  )
}
