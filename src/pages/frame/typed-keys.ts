/** The keys pressed since the command palette was called, until it is there; undefined when nobody waits for it. */
export const typedKeys: { all?: KeyboardEvent[] | undefined } = {}

/** Whether typed keys go to a field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement)
  )
}
