/** The keys pressed since the command palette was called, until it is there; undefined when nobody waits for it. */
export const typedKeys: { all?: KeyboardEvent[] | undefined } = {}

/** Whether typed keys go to a field. A field in a shadow root is seen as its host from outside. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const inner = target.shadowRoot?.activeElement
  return (
    (inner !== undefined && isTyping(inner)) ||
    target.isContentEditable ||
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
}
