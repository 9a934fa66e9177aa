import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

const labelsSchema = z.record(z.string(), z.string())

/** Private names of addresses and nodes, by `labelKey`. They never leave the browser. */
export type Labels = Readonly<Record<string, string>>

const max = 64

function parse(stored: unknown): Labels {
  const result = labelsSchema.safeParse(stored)
  return result.success ? Object.fromEntries(Object.entries(result.data)) : {}
}

export const labels = createStoredStore<Labels>('ridgeline.labels', parse)

/** What a label is kept under: an address in lower case; a node ID as it is, since its case matters. */
const labelKey = (id: string): string => (id.startsWith('NodeID-') ? id : id.toLowerCase())

/** Names an address or a node; an empty name removes it. */
export function setLabel(id: string, name: string): void {
  const key = labelKey(id)
  const text = name.trim().slice(0, max)
  labels.set((now) => {
    const next = new Map(Object.entries(now))
    if (text) next.set(key, text)
    else next.delete(key)
    return Object.fromEntries(next)
  })
}

const labelled = /^(0x[0-9a-fA-F]{40}|[a-z]{1,16}1[02-9ac-hj-np-z]{38}|NodeID-[1-9A-HJ-NP-Za-km-z]{24,34})$/

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
  const rows = Object.entries(result.data).filter(([id]) => labelled.test(id))
  labels.set((now) => ({
    ...now,
    ...Object.fromEntries(rows.map(([id, name]) => [labelKey(id), name.slice(0, max)])),
  }))
  return rows.length
}
