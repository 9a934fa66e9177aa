import { Input } from '../../components/controls.tsx'
import { useHeldForm } from '../../components/use-held-form.ts'

/** What lists of tokens can be sorted by. */
export const tokenOrders = [
  { id: 'holders', label: 'Holders', sort: 'holderCount' },
  { id: 'day', label: 'Transfers, 24 h', sort: 'lastDayTransferCount' },
  { id: 'newest', label: 'Newest', sort: 'firstBlock' },
] as const

/** A field for a part of a token's name; input takes effect after a pause. */
export function NameField({ name, onName }: { name: string; onName: (name: string) => void }) {
  const [text, setText] = useHeldForm(
    name,
    (value) => value.trim(),
    (value) => onName(value.trim()),
  )
  return (
    <Input
      type="search"
      aria-label="Name or symbol"
      placeholder="Name or symbol"
      className="h-7 w-44"
      maxLength={64}
      spellCheck={false}
      value={text}
      onChange={setText}
    />
  )
}
