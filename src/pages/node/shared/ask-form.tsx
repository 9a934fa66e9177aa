import { useState } from 'react'
import { Labelled } from './act.tsx'

type Props = {
  label: string
  /** What its button says. */
  button: string
  /** Told of the text without the spaces around it; never of an empty one. */
  onAsk: (text: string) => void
}

/** A form of one text: nothing is asked before it is sent off. */
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
