import { existsSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'

/**
 * Moves unreadable files and folders of a home into `set-aside/<time>` below it, under their own names, so
 * that nothing is lost and the next start does not find them. Returns that folder, or undefined if there was
 * nothing to move.
 */
export function setAside(home: string, names: readonly string[]): string | undefined {
  const there = names.filter((name) => existsSync(path.join(home, name)))
  if (there.length === 0) return undefined
  const stamp = new Date().toISOString().replaceAll(':', '-')
  const folder = path.join(home, 'set-aside', stamp)
  for (const name of there) {
    const target = path.join(folder, name)
    mkdirSync(path.dirname(target), { recursive: true })
    renameSync(path.join(home, name), target)
  }
  return folder
}
