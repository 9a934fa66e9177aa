import { Fragment } from 'react'

const groups: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['/', 'Search'],
      ['Ctrl K, ⌘ K', 'Command palette: pages, chains, settings'],
      ['?', 'This help'],
    ],
  },
  {
    title: 'Charts',
    keys: [
      ['Drag', 'Choose a range; a double click resets it'],
      ['← →', 'Move the cross-hair'],
      ['Shift ← →, Enter', 'Choose a range by keyboard'],
    ],
  },
  {
    title: 'Tables',
    keys: [
      ['↑ ↓, Page ↑ ↓, Home, End', 'Move between rows'],
      ['Enter', 'Open the row'],
    ],
  },
  {
    title: 'SQL and calls of a node',
    keys: [
      ['Ctrl Enter', 'Run, send'],
      ['Tab', 'Complete a word'],
    ],
  },
  {
    title: 'Graph of vertices',
    keys: [
      ['Drag', 'Move'],
      ['Ctrl and wheel', 'Zoom'],
      ['← →, ↑ ↓', 'To parents, to children, to neighbours'],
      ['Shift and arrows', 'Move'],
      ['+, −, 0', 'Zoom, fit'],
      ['Enter, End', 'Open the vertex, go to the newest one'],
    ],
  },
]

/** What keys, drags and wheels do, in one place instead of below each chart. */
export function Help() {
  return (
    <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
      {groups.map(({ title, keys }) => (
        <section key={title} aria-label={title}>
          <h3 className="pb-1 font-strong">{title}</h3>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
            {keys.map(([key, what]) => (
              <Fragment key={`${key} ${what}`}>
                <dt className="font-mono text-xs leading-5 text-muted">{key}</dt>
                <dd>{what}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
