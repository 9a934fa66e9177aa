import { useEffect, useState, type Dispatch, type SetStateAction } from 'react'
import { isPageLeft } from '../lib/leaving.ts'
import { useLatest, useDebounced } from './hooks.ts'

/**
 * The draft of a form, written to the URL once typing has paused. `held` is the URL's value, `textOf` serializes it
 * for comparison, and `write` stores it in the URL. Links, Back and Forward change the form in turn.
 */
export function useHeldForm<T>(
  held: T,
  textOf: (value: T) => string,
  write: (value: T) => void,
): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState(held)
  const text = textOf(held)
  const [seen, setSeen] = useState(text)
  // The form's own write returns as a change of the URL, which must not undo later typing.
  const [written, setWritten] = useState(text)
  if (text !== seen) {
    setSeen(text)
    if (text !== written) {
      setWritten(text)
      setValue(held)
    }
  }
  const rested = useDebounced(value, 250)
  const keep = useLatest((next: T) => {
    const nextText = textOf(next)
    // A change of the URL would call off the page that the reader has chosen meanwhile.
    if (nextText === text || isPageLeft()) return
    setWritten(nextText)
    write(next)
  })
  useEffect(() => keep.current(rested), [rested, keep])
  return [value, setValue]
}
