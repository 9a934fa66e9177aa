import { useState, type ReactNode } from 'react'
import { setLabel } from '../../../lib/storage/labels.ts'
import { Button, Form, Input } from '../../../components/controls.tsx'

type Props = {
  id: string
  label: string
  noun: string
  /** Another way to keep what was typed. */
  renderBeside?: (typed: string) => ReactNode
}

/** Labels an address or a node (`noun`) in this browser only. */
export function LabelForm({ id, label, noun, renderBeside }: Props) {
  const [text, setText] = useState(label)
  const typed = text.trim()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Form className="flex items-center gap-2" onSubmit={() => setLabel(id, text)}>
        <Input
          className="w-32 max-md:w-28"
          aria-label={`Name of this ${noun}`}
          placeholder="Private label"
          title="Kept in this browser, never sent"
          maxLength={64}
          value={text}
          onChange={setText}
        />
        {typed !== label && <Button type="submit">{typed === '' ? 'Remove' : 'Save'}</Button>}
      </Form>
      {typed !== label && typed !== '' && renderBeside?.(typed)}
    </div>
  )
}
