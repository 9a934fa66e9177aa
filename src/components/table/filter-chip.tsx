import { Button } from '../controls.tsx'
import { CloseIcon } from '../icons.ts'

/** An applied filter with a button to remove it. */
export function FilterChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Button
      small
      className="min-h-7 rounded-full border-accent bg-accent-soft text-left text-xs text-accent"
      style={{ height: 'auto', whiteSpace: 'normal' }}
      aria-label={`Remove the filter: ${text}`}
      onClick={onRemove}
    >
      <span>{text}</span>
      <CloseIcon size={12} />
    </Button>
  )
}
