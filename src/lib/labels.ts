import { z } from 'zod'
import { createStoredStore } from './store.ts'

const labelsSchema = z.record(z.string(), z.string())

/** Private names of addresses, by address in lower case. They never leave the browser. */
export type Labels = Readonly<Record<string, string>>

const most = 64

function parse(stored: unknown): Labels {
  const result = labelsSchema.safeParse(stored)
  return result.success ? Object.fromEntries(Object.entries(result.data)) : {}
}

export const labels = createStoredStore<Labels>('ridgeline.labels', parse)

/** Names an address; an empty name removes it. */
export function setLabel(address: string, name: string): void {
  const key = address.toLowerCase()
  const text = name.trim().slice(0, most)
  labels.set((now) => {
    const next = new Map(Object.entries(now))
    if (text) next.set(key, text)
    else next.delete(key)
    return Object.fromEntries(next)
  })
}

/**
 * Reads a file of labels, `{"0x…": "name"}`, and adds it to those kept. Returns how many were taken;
 * throws with a sentence for the person when the file is something else.
 */
export function importLabels(text: string): number {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error('The file is not JSON.')
  }
  const result = labelsSchema.safeParse(content)
  if (!result.success) throw new Error('The file must hold one object of address to name.')
  const rows = Object.entries(result.data).filter(([address]) => /^0x[0-9a-fA-F]{40}$/.test(address))
  labels.set((now) => ({
    ...now,
    ...Object.fromEntries(rows.map(([address, name]) => [address.toLowerCase(), name.slice(0, most)])),
  }))
  return rows.length
}
