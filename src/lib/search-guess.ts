export type Guess = { kind: 'block' | 'transaction' | 'address'; id: string; title: string }

/** What a text can be by its form alone: for deployments without a search of their own. */
export function guessSearch(text: string): Guess[] {
  const trimmed = text.trim()
  const digits = trimmed.replace(/[,_ ]/g, '')
  if (/^\d{1,16}$/.test(digits)) return [{ kind: 'block', id: digits, title: `Block ${digits}` }]
  if (/^0x[0-9a-fA-F]{40}$/.test(trimmed)) return [{ kind: 'address', id: trimmed, title: 'Address' }]
  if (/^0x[0-9a-fA-F]{64}$/.test(trimmed))
    return [
      { kind: 'transaction', id: trimmed, title: 'Transaction' },
      { kind: 'block', id: trimmed, title: 'Block' },
    ]
  return []
}
