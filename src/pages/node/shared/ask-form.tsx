import { useState } from 'react'
import { Labelled } from './act.tsx'

type Props = {
  label: string
  /** The button's text. */
  button: string
  /** Called with the trimmed text, never with an empty one. */
  onAsk: (text: string) => void
}

/** A form with one text field that acts on submit. */
export function AskForm({ label, button, onAsk }: Props) {
  const [text, setText] = useState('')
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk(text.trim())
      }}
    >
      <Labelled label={label} grow>
        <input
          className="field font-mono text-mono"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Labelled>
      <button type="submit" className="control" disabled={text.trim() === ''}>
        {button}
      </button>
    </form>
  )
}
