import { useId, useState } from 'react'
import { Button, Form, Input } from '../../components/controls.tsx'

const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text)

type Props = {
  /** What the address is in the filtered rows: “From”. */
  label: string
  onChange: (address: string) => void
}

/** A field for an address of an EVM chain, by which a list is narrowed: Enter applies it. */
export function AddressField({ label, onChange }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const submit = (): void => {
    const given = text.trim()
    if (!isAddress(given)) {
      setWrong(true)
      return
    }
    setText('')
    onChange(given.toLowerCase())
  }
  return (
    <Form className="flex items-center gap-2" onSubmit={submit}>
      <Input
        mono
        className="h-7 w-30"
        aria-label={`${label} address`}
        placeholder={`${label} 0x…`}
        maxLength={64}
        value={text}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(typed) => {
          setText(typed)
          setWrong(false)
        }}
      />
      {text !== '' && (
        <Button type="submit" small>
          Filter
          <span className="sr-only"> by {label}</span>
        </Button>
      )}
      {wrong && (
        <span id={`${id}-wrong`} role="alert" className="text-xs text-bad">
          An address is 0x and 40 hex digits.
        </span>
      )}
    </Form>
  )
}

/** The schema of such an address in a URL. */
export const addressPattern = /^0x[0-9a-f]{40}$/
