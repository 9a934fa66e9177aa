import { safeText, shorten } from '../../../lib/text.ts'

/** What a member or a subject is called: its label or name, else its shortened id. */
export function nameOf(id: string, label: string | undefined): string {
  const text = safeText(label ?? '', 80)
  return text === '' ? shorten(id, id.startsWith('NodeID-') ? 13 : 8, 4) : text
}
