import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { queryClient } from './api/query-client.ts'

/** Draws the dashboard in `place`, as a transition: it renders in slices, between which the browser paints and answers. */
export function draw(place: HTMLElement, router: Parameters<typeof RouterProvider>[0]['router']): void {
  startTransition(() =>
    createRoot(place).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}
