import type { ReactNode } from 'react'

export type Fact = {
  label: string
  value: ReactNode
  /** What the label means, shown on hover. */
  help?: string
}

/** Names and values of one thing, one per line; in narrow layouts the name is above its value. */
export function Facts({ facts, label }: { facts: readonly (Fact | false | undefined)[]; label: string }) {
  return (
    <dl aria-label={label} className="flex flex-col">
      {facts.map(
        (fact) =>
          fact && (
            <div
              key={fact.label}
              className="grid min-h-9 grid-cols-1 gap-x-4 border-b border-line py-1.5 last:border-b-0 md:grid-cols-[200px_minmax(0,1fr)] md:items-start"
            >
              <dt className="leading-6 text-muted" title={fact.help}>
                {fact.label}
              </dt>
              <dd className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 gap-y-1 break-words">
                {fact.value}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
