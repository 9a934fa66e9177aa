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

/**
 * Milliseconds for which a page in the document stays while the same is drawn behind it: for code, and then for answers.
 * Until it is replaced, nothing in it works.
 */
const longest = { code: 5_000, answers: 400 } as const

type Router = ReturnType<typeof createBrowserRouter>

/** Waits until `isDone` holds, for so many milliseconds at most. */
async function until(isDone: () => boolean, longest: number): Promise<void> {
  const end = performance.now() + longest
  while (!isDone() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 40))
}

/** Whether a window shows a part of a page that is still to come. */
const isComing = (part: Element): boolean =>
  part.checkVisibility() && part.getBoundingClientRect().top < window.innerHeight

/**
 * Draws the dashboard behind the page in the document (src/prerender.tsx), unseen, and puts it in its place as soon as it
 * is as complete: what the document shows neither shifts nor turns into its skeleton again.
 */
async function drawBehind(drawn: Element, router: Router): Promise<void> {
  const { draw } = await drawing
  await until(() => router.state.initialized, longest.code)
  const place = document.createElement('div')
  place.className = 'invisible absolute inset-x-0 top-0'
  drawn.after(place)
  await draw(place, router)
  const parts = place.getElementsByClassName('skeleton')
  await until(() => queryClient.isFetching() === 0 && ![...parts].some(isComing), longest.answers)
  drawn.remove()
  place.id = drawn.id
  place.removeAttribute('class')
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
  if (place.firstElementChild === null) void drawing.then(({ draw }) => draw(place, router))
  else
    void drawBehind(place, router).catch((error: unknown) => {
      // Without its code, its links still lead on.
      place.querySelector('[inert]')?.removeAttribute('inert')
      throw error
    })
}

// In a task of its own: the evaluation of all modules is one already, and the browser paints and answers in between.
setTimeout(start, 0, root)
