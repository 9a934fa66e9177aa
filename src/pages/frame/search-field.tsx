import { useEffect, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { useCurrentChain } from '../../api/current.ts'
import { Combobox } from '../../components/combobox.tsx'
import { SearchIcon } from '../../components/icons.ts'
import { paths } from '../../paths.ts'
import { useSearchWords } from './search-box.tsx'
import { useSearchGroups } from './search-items.tsx'

type Props = { text: string; onText: (text: string) => void; field: RefObject<HTMLInputElement | null> }

/** The search field once it is used: what the text may mean stands below it. */
export function SearchField({ text, onText, field }: Props) {
  const navigate = useNavigate()
  const { chainId } = useCurrentChain()
  const { groups, status } = useSearchGroups(text, chainId)
  // It takes the place of the idle field, which had the focus.
  useEffect(() => field.current?.focus(), [field])
  return (
    <Combobox
      {...useSearchWords()}
      icon={<SearchIcon />}
      inputRef={field}
      floating
      value={text}
      onValue={onText}
      groups={groups}
      status={status}
      onSubmit={(value) => {
        onText('')
        void navigate(paths.search(value))
      }}
      onDone={() => {
        onText('')
        field.current?.blur()
      }}
    />
  )
}
