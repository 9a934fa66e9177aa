import type { ReactNode } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { lazy } from '../../../components/lazy.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'

type Body = {
  readonly default: () => ReactNode
  /** Starts the page's requests. */
  readonly load: (args: LoaderFunctionArgs) => void
}

/**
 * A page of the watch: its title at once, everything else with the code of its body. The bodies share most of their code,
 * which a page of another subject must not load.
 */
export function latePage(
  title: string,
  importBody: () => Promise<Body>,
): { loader: (args: LoaderFunctionArgs) => null; element: ReactNode } {
  const Shown = lazy(importBody)
  const waiting = (
    <>
      <PageTitle document={title} heading={title} actions={null} />
      <SkeletonRows count={14} />
    </>
  )
  return {
    loader: (args) => {
      // Code that does not come is shown where the page would be.
      importBody().then(
        ({ load }) => load(args),
        () => undefined,
      )
      return null
    },
    element: (
      <LazyPart title="This page" fallback={waiting}>
        <Shown />
      </LazyPart>
    ),
  }
}
