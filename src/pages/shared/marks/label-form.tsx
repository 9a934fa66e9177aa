import { useState } from 'react'
import { setLabel } from '../../../lib/storage/labels.ts'

/** Labels an address or a node (`noun`) in this browser only. */
export function LabelForm({ id, label, noun }: { id: string; label: string; noun: string }) {
  const [text, setText] = useState(label)
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        setLabel(id, text)
      }}
    >
      <input
        className="field w-44"
        aria-label={`Name of this ${noun}`}
        placeholder="Private label"
        title="Kept in this browser, never sent"
        maxLength={64}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="control" disabled={text.trim() === label}>
        {label && text.trim() === '' ? 'Remove' : 'Save'}
      </button>
    </form>
  )
}
