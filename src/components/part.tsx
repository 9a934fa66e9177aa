import { Component, Suspense, type ReactNode } from 'react'
import { useRecovery } from './hooks.ts'
import { renewLazy } from './lazy.ts'
import { FailedState } from './states.tsx'

type BoundaryProps = {
  /** The part's name as the subject of a sentence: “The transfers”. */
  title: string
  /** Whether a failure is shown over the page, because the part has no place of its own. */
  floats?: boolean
  children: ReactNode
}

/** Reloads the page unless the service does not answer: then the rest of the page is worth keeping. */
export async function reload(): Promise<void> {
  try {
    await fetch(location.pathname, { cache: 'no-store' })
  } catch {
    // The failure stays visible with its button.
    return
  }
  location.reload()
}

function WhenBack({ retry }: { retry: () => void }) {
  useRecovery(retry)
  return null
}

/** Keeps an error in one part of a page, or code that failed to load, from blanking the page. */
export class Boundary extends Component<BoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }
  #byHand = false

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown): void {
    // Code that is missing a second time belongs to an older version: the page has to be reloaded.
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
 * A part of a page whose code loads on demand: shows `fallback` until then, and a failure in its place. Within tabs,
 * use the tab as its key. `floats` is for parts that lie over the page.
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

/** Shows the fallback when code failed to load, until the service is back. */
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

/** An optional part of a page: when its code fails to load, the `fallback` stays. */
export function LazyExtra({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  return (
    <QuietBoundary fallback={fallback}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </QuietBoundary>
  )
}
