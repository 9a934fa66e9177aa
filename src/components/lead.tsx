import type { ReactNode } from 'react'

/** What a page is about, in a sentence below its title for whoever opens it first. */
export function Lead({ children }: { children: ReactNode }) {
  return <p className="-mt-2 mb-4 max-w-[96ch]">{children}</p>
}
