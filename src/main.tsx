import './api/zod-without-eval.ts'
import { createBrowserRouter, createHashRouter } from 'react-router'
import { sessionQuery } from './api/chains.ts'
import { takeTokenLink } from './api/local-token.ts'
import { queryClient } from './api/query-client.ts'
import { setPrefetcher } from './lib/prefetch.ts'
import { pagePath } from './lib/place.ts'
import { basenameOf } from './lib/profile-path.ts'
import { prefetchRoute, routes } from './routes.tsx'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// React DOM is half of what every page evaluates, so it has a task of its own. The document names its chunk with the entry's.
const drawing = import('./draw.tsx')

takeTokenLink()
// A link that is opened on a page that already stands. What that page was refused is asked again.
window.addEventListener('popstate', () => {
  if (takeTokenLink()) void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
})

// Vite reports every dynamic import that fails.
window.addEventListener('vite:preloadError', ({ payload }) => {
  payload.name = 'Not loaded'
  payload.message = 'Its code could not be loaded: the service may be away, or has been updated.'
})
/** Milliseconds for which a page's first lines may stand without the page. */
const longest = 1_000

type Router = ReturnType<typeof createBrowserRouter>

/** Settles when the first page's code and the answers that its loader asked for are there. */
async function firstPage(router: Router): Promise<void> {
  const stops: (() => void)[] = []
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      if (router.state.initialized && queryClient.isFetching() === 0) resolve()
    }
    setTimeout(resolve, longest)
    stops.push(router.subscribe(settle), queryClient.getQueryCache().subscribe(settle))
  })
  for (const stop of stops) stop()
}

function start(place: HTMLElement): void {
  // Asked before the first page's code has come; whoever needs it shows its failure.
  void queryClient.prefetchQuery(sessionQuery())
  setPrefetcher((href) => prefetchRoute(href, Date.now()))
  const basename = basenameOf(pagePath())
  // Compared here, so that the build leaves out the other one.
  const create = import.meta.env.MODE === 'static' ? createHashRouter : createBrowserRouter
  const router = create(routes, { basename })
  // A page of another profile, which only the fragment names.
  if (import.meta.env.MODE === 'static')
    addEventListener('popstate', () => basenameOf(pagePath()) !== basename && location.reload())
  const draw = async (): Promise<void> => (await drawing).draw(place, router)
  // First lines that the document has (src/first-lines.tsx) stay until they can be replaced by the same.
  if (place.firstElementChild === null) void draw()
  else void firstPage(router).then(draw)
}

// In a task of its own: the evaluation of all modules is one already, and the browser paints and answers in between.
setTimeout(start, 0, root)
