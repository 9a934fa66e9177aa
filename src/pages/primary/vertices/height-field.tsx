import { useId, useState } from 'react'
import { Button, Form, Input } from '../../../components/controls.tsx'

/** A field for a height, reported once it is valid. */
export function HeightField({ label, onChange }: { label: string; onChange: (height: number) => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const digits = text.replace(/[,_\s]/g, '')
  const fits = /^\d{1,15}$/.test(digits)
  return (
    <Form
      className="flex items-center gap-2"
      onSubmit={() => {
        onChange(Number(digits))
        setText('')
      }}
    >
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <Input
        id={id}
        className="h-7 w-28"
        inputMode="numeric"
        value={text}
        wrong={fits ? '' : 'Give a height such as 1200.'}
        onChange={setText}
      />
      <Button type="submit" small>
        Jump
      </Button>
    </Form>
  )
}
