import { useState } from 'react'
import { Labelled } from './act.tsx'
import { Button } from '../../../components/button.tsx'
import { Form } from '../../../components/form.tsx'

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
    <Form className="flex flex-wrap items-end gap-3" onSubmit={() => onAsk(text.trim())}>
      <Labelled label={label} grow>
        <input
          className="field font-mono text-mono"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Labelled>
      <Button type="submit" disabled={text.trim() === ''}>
        {button}
      </Button>
    </Form>
  )
}
