import { useEffect, useState, type Dispatch, type SetStateAction } from 'react'
import { useLatest, useRested } from './hooks.ts'

/**
 * What is typed into a form, kept in the URL once typing has rested. `held` is what the URL has of it, `textOf`
 * tells what the URL would have apart, and `write` puts it there. Links, Back and Forward change the form in turn.
 */
export function useHeldForm<T>(
  held: T,
  textOf: (value: T) => string,
  write: (value: T) => void,
): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState(held)
  const text = textOf(held)
  const [seen, setSeen] = useState(text)
  // What the form itself wrote comes back as a change of the URL, and must not undo what was typed since.
  const [written, setWritten] = useState(text)
  if (text !== seen) {
    setSeen(text)
    if (text !== written) {
      setWritten(text)
      setValue(held)
    }
  }
  const rested = useRested(value, 250)
  const keep = useLatest((next: T) => {
    const nextText = textOf(next)
    if (nextText === text) return
    setWritten(nextText)
    write(next)
  })
  useEffect(() => keep.current(rested), [rested, keep])
  return [value, setValue]
}
