import { Component, Suspense, type ReactNode } from 'react'
import { useRecovery } from './hooks.ts'
import { renewLazy } from './lazy.ts'
import { FailedState } from './states.tsx'

type BoundaryProps = {
  /** What it is, as the subject of a sentence: “The transfers”. */
  title: string
  /** Whether a failure lies over the page, because there is no place for it. */
  floats?: boolean
  children: ReactNode
}

/** Reloads the page, unless that would lose it: where nothing answers, the rest of it is better kept. */
export async function reload(): Promise<void> {
  try {
    await fetch(location.pathname, { cache: 'no-store' })
  } catch {
    // The failure stands where it stands, with its button.
    return
  }
  location.reload()
}

function WhenBack({ retry }: { retry: () => void }) {
  useRecovery(retry)
  return null
}

/** Keeps a mistake in one part of a page, or code of it that can't be loaded, from blanking the page. */
export class Boundary extends Component<BoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }
  #byHand = false

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown): void {
    // Code that is not there a second time belongs to an older version: the page has to come anew.
    if (this.#byHand && error instanceof Error && error.name === 'Not loaded') void reload()
    this.#byHand = false
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    const failed = (
      <>
        <WhenBack retry={() => this.setState({ error: null })} />
        <FailedState
          title={`${this.props.title} could not be shown.`}
          name={error.name}
          message={error.message}
          onRetry={() => {
            this.#byHand = true
            renewLazy()
            this.setState({ error: null })
          }}
        />
      </>
    )
    if (this.props.floats !== true) return failed
    return (
      <div className="fixed right-4 bottom-4 z-50 max-w-[calc(100vw-32px)] rounded-base border border-line bg-surface px-5 shadow-float">
        {failed}
      </div>
    )
  }
}

/**
 * A part of a page whose code comes by itself: `fallback` until it has, and a failure in its place. Of tabs it
 * wants the tab as its key. `floats` is for what lies over the page.
 */
export function LazyPart({
  title,
  fallback,
  floats = false,
  children,
}: BoundaryProps & { fallback?: ReactNode; floats?: boolean }) {
  return (
    <Boundary title={title} floats={floats}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  )
}

/** Draws something else where its code did not come, until the service has come back. */
class QuietBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <>
        <WhenBack retry={() => this.setState({ failed: false })} />
        {this.props.fallback}
      </>
    )
  }
}

/** What a page can do without: where its code does not come, the `fallback` stays. */
export function LazyExtra({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  return (
    <QuietBoundary fallback={fallback}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </QuietBoundary>
  )
}
