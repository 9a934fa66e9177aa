import { useState } from 'react'
import { Button, Form, Input } from '../../../components/controls.tsx'
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
    <Form className="flex flex-wrap items-end gap-3" onSubmit={() => onAsk(text.trim())}>
      <Labelled label={label} grow>
        <Input mono required value={text} onChange={setText} />
      </Labelled>
      <Button type="submit">{button}</Button>
    </Form>
  )
}
