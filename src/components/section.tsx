import { Component, useId, type ReactNode } from 'react'
import { FailedState } from './states.tsx'

type BoundaryProps = { title: string; children: ReactNode }

/** Keeps a mistake in one section from blanking the page. */
class SectionBoundary extends Component<BoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <FailedState
        title={`${this.props.title} could not be drawn.`}
        name={error.name}
        message={error.message}
        onRetry={() => this.setState({ error: null })}
      />
    )
  }
}

type SectionProps = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A titled part of a page, with an error boundary of its own. */
export function Section({ title, note, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 pb-2">
        <h2 id={id} className="text-h3 font-strong">
          {title}
          {note !== undefined && <span className="ml-2 text-xs font-normal text-muted">{note}</span>}
        </h2>
        {actions !== undefined && <div className="flex items-center gap-2">{actions}</div>}
      </div>
      <SectionBoundary title={title}>{children}</SectionBoundary>
    </section>
  )
}
