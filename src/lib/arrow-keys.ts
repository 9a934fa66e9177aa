/** What is needed of a key event; `currentTarget` contains the group. */
type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'preventDefault'> & {
  readonly currentTarget: HTMLElement
}

const steps: Readonly<Record<'down' | 'across', Readonly<Record<string, number>>>> = {
  down: { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity },
  across: { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity },
}

/**
 * Moves the focus with the arrow keys, Home and End among the elements of `selector` in the element that takes the keys:
 * for a group that is one tab stop. Other keys, and keys with a modifier, keep their meaning.
 */
export function moveFocus(event: KeyPress, selector: string, way: 'down' | 'across'): void {
  const step = steps[way][event.key]
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = items.findIndex((item) => item === document.activeElement)
  if (step === undefined || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  items[Math.min(items.length - 1, Math.max(0, at + step))]?.focus()
}
