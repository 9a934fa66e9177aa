// The least page that the dashboard's stack can show: React, router, Query and Tailwind, one lazy route.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import './index.css'

const router = createBrowserRouter([{ path: '*', lazy: () => import('./page.tsx') }])
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no root')
createRoot(root).render(
  <QueryClientProvider client={new QueryClient()}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
