import { useLayoutEffect, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { useCurrentChain } from '../../api/current.ts'
import { Combobox } from '../../components/overlays/combobox.tsx'
import { SearchIcon } from '../../components/icons.ts'
import { opensExact, paths } from '../../lib/paths.ts'
import { useSearchGroups } from './search-items.tsx'

type Props = {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  field: RefObject<HTMLInputElement | null>
  /** Whether the plain field had the focus when this one replaced it. */
  focused: boolean
}

/** The active search field, with results below it. */
export function SearchField({ label, placeholder, text, onText, field, focused }: Props) {
  const navigate = useNavigate()
  const { chainId } = useCurrentChain()
  const { groups, status } = useSearchGroups(text, chainId)
  // Runs before the next key event, so that no key is lost.
  useLayoutEffect(() => {
    if (focused) field.current?.focus()
  }, [field, focused])
  return (
    <Combobox
      label={label}
      placeholder={placeholder}
      icon={<SearchIcon />}
      inputRef={field}
      floating
      spans
      value={text}
      onValue={onText}
      groups={groups}
      status={status}
      onSubmit={(value) => {
        onText('')
        // The page that opens has the focus: keys such as / and arrows are its own again.
        field.current?.blur()
        void navigate(paths.search({ q: value }), { state: opensExact })
      }}
      onDone={() => {
        onText('')
        field.current?.blur()
      }}
    />
  )
}
