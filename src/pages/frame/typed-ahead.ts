import { typedKeys } from './typed-keys.ts'

/** The text after a key: a character at its end, or one less; Escape empties it, other keys change nothing. */
export function afterKey(text: string, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  if (ctrlKey || metaKey || altKey) return text
  if (key === 'Escape') return ''
  if (key === 'Backspace') return text.slice(0, -1)
  return [...key].length === 1 ? text + key : text
}

/** What was typed while the command palette opened. Ends collecting it. */
export function takeTyped(): string {
  const text = (typedKeys.all ?? []).reduce(afterKey, '')
  typedKeys.all = undefined
  return text
}
