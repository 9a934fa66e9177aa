import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useLatest, useRested } from '../../components/hooks.ts'
import type { ApiOperation } from './document.ts'
import type { Values } from './request.ts'

/** Longer texts stay out of the URL. */
const mostInLink = 2_000

function heldIn(search: URLSearchParams, operation: ApiOperation): Values {
  const entries = operation.fields.flatMap(({ key }) => {
    const value = search.get(key)
    return value === null ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

/** What is typed into the form of one operation, kept in the URL once typing has rested. */
export function useValues(operation: ApiOperation): [Values, (key: string, text: string) => void] {
  const [search, setSearch] = useSearchParams()
  const [values, setValues] = useState(() => heldIn(search, operation))
  const held = JSON.stringify(heldIn(search, operation))
  const [seen, setSeen] = useState(held)
  // What the form itself wrote comes back as a change of the URL, and must not undo what was typed since.
  const [written, setWritten] = useState(held)
  if (held !== seen) {
    setSeen(held)
    if (held !== written) {
      setWritten(held)
      setValues(heldIn(search, operation))
    }
  }
  const rested = useRested(values, 250)
  const write = useLatest((next: Values) => {
    const query = new URLSearchParams(search)
    for (const { key } of operation.fields) {
      const value = next[key] ?? ''
      if (value === '' || value.length > mostInLink) query.delete(key)
      else query.set(key, value)
    }
    const text = JSON.stringify(heldIn(query, operation))
    if (text === held) return
    setWritten(text)
    setSearch(query, { replace: true, preventScrollReset: true })
  })
  useEffect(() => write.current(rested), [rested, write])
  return [values, (key, text) => setValues((now) => ({ ...now, [key]: text }))]
}
