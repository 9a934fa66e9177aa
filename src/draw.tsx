import { startTransition, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { queryClient } from './api/query-client.ts'

type Router = Parameters<typeof RouterProvider>[0]['router']

/** Runs `then` once what stands before it is in the document, and its queries have begun. */
function Drawn({ then }: { then: () => void }) {
  useEffect(then, [then])
  return null
}

/**
 * Draws the dashboard in `place`, as a transition: it renders in slices, between which the browser paints and answers.
 * Resolves when it is there, whatever of its page is still to come.
 */
export function draw(place: HTMLElement, router: Router): Promise<void> {
  return new Promise((resolve) => {
    startTransition(() =>
      createRoot(place).render(
        <StrictMode>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
          <Drawn then={resolve} />
        </StrictMode>,
      ),
    )
  })
}
