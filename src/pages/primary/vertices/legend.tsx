import type { ReactNode } from 'react'
import { graphColours } from '../../../../charts/graph/marks.ts'

const marks: readonly { id: string; mark: ReactNode; text: string }[] = [
  {
    id: 'vertex',
    mark: <circle cx="9" cy="9" r="6" fill={graphColours.node} />,
    text: 'vertex, larger with more transactions',
  },
  {
    id: 'edge',
    mark: <path d="M0 13C9 13 9 5 18 5" fill="none" strokeWidth="1.5" stroke={graphColours.edge} />,
    text: 'to its parents on the left',
  },
  {
    id: 'chosen',
    mark: (
      <>
        <circle cx="9" cy="9" r="3.5" fill={graphColours.node} />
        <circle cx="9" cy="9" r="7" fill="none" strokeWidth="2" stroke={graphColours.accent} />
      </>
    ),
    text: 'chosen',
  },
  {
    id: 'linked',
    mark: <circle cx="9" cy="9" r="6" fill={graphColours.linked} />,
    text: 'its parents and children',
  },
  {
    id: 'stop',
    mark: <rect x="3" y="3" width="12" height="12" fill={graphColours.stop} />,
    text: 'stop vertex, the last one',
  },
]

/** The legend of the graph. The axis below the graph shows the heights. */
export function Legend() {
  return (
    <ul aria-label="Legend of the graph" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {marks.map(({ id, mark, text }) => (
        <li key={id} className="inline-flex items-center gap-1.5">
          <svg width="18" height="18" aria-hidden="true">
            {mark}
          </svg>
          {text}
        </li>
      ))}
    </ul>
  )
}
