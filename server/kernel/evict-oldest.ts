/** Removes the entries that were added first until at most `max` are left. */
export function evictOldest(entries: Map<unknown, unknown>, max: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= max) return
    entries.delete(oldest)
  }
}
