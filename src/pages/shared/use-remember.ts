import { useEffect } from 'react'
import { remember, type Recent } from '../../lib/storage/recents.ts'

/** Adds an opened page to the recents, once its title is known. */
export function useRemember(path: string, title: string | undefined, kind: Recent['kind']): void {
  useEffect(() => {
    if (title !== undefined) remember({ path, title, kind })
  }, [path, title, kind])
}
