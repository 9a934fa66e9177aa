import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Skeleton } from './skeleton.tsx'

type Props = {
  /** The document's title, most specific part first: “Block 12,345 · C-Chain”. */
  document: string
  heading: ReactNode
  /** The full id of the page's subject, shown below the heading with a copy button. */
  identity?: { value: string; name: string } | 'loading' | undefined
  /** A button right of the heading that leads to another subject; on a phone, too. */
  switcher?: ReactNode
  /** Pills and small facts beside the heading; null reserves their space while they load. */
  beside?: ReactNode
  /** Links and buttons on the right, or below on a phone; null reserves their space while they load. */
  actions?: ReactNode
}

/** The title line of a page; it also sets the document's title. */
export function PageTitle({ document: title, heading, identity, switcher, beside, actions }: Props) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pb-4">
      <title>{`${title} · Ridgeline`}</title>
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex min-h-8 gap-x-3 gap-y-1 max-md:flex-col md:flex-wrap md:items-center">
          <div className="flex min-w-0 items-center gap-x-3">
            <h1 className="min-w-0 text-h1 font-strong break-words">{heading}</h1>
            {switcher}
          </div>
          {beside !== undefined && (
            <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">{beside}</div>
          )}
        </div>
        {identity === 'loading' && (
          <p className="flex h-6 items-center max-md:h-10">
            <Skeleton width="min(520px, 80vw)" />
          </p>
        )}
        {identity && identity !== 'loading' && (
          <p className="flex min-w-0 items-center gap-1 text-muted">
            <span className="font-mono text-mono break-all" data-value={identity.value.toLowerCase()}>
              {identity.value}
            </span>
            <CopyButton text={identity.value} name={identity.name} />
          </p>
        )}
      </div>
      {actions !== undefined && (
        <div className="flex min-h-8 min-w-16 flex-wrap items-center gap-2 pointer-coarse:min-h-10">
          {actions}
        </div>
      )}
    </header>
  )
}

/** What a page is about, in a sentence below its title for whoever opens it first. */
export function Lead({ children }: { children: ReactNode }) {
  return <p className="-mt-2 mb-4 max-w-[96ch]">{children}</p>
}
