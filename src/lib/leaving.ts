/** Whether the reader has chosen another page that has not come yet. What a page does by itself must not call that off. */
let isLeaving = false

/** Notes that the reader leaves for another page; the returned function, that it has come or will not. */
export function noteLeaving(): () => void {
  isLeaving = true
  return () => {
    isLeaving = false
  }
}

export const isPageLeft = (): boolean => isLeaving

/** Milliseconds for which the next page may take to arrive. */
const longest = 10_000

/**
 * Loads code. If that fails while the page is being left, it fails only once the page has proved to stay, as for a
 * download: Firefox ends what a page loads as soon as the page is left, but shows the page until the next one arrives.
 * Listens only meanwhile, because a listener for `beforeunload` keeps Firefox from restoring the page on the way back.
 */
export async function loadUnlessLeft<Module>(load: () => Promise<Module>): Promise<Module> {
  let isLeft = false
  const note = (): void => {
    isLeft = true
  }
  addEventListener('beforeunload', note)
  try {
    return await load()
  } catch (error) {
    if (isLeft) await new Promise((resolve) => setTimeout(resolve, longest))
    throw error
  } finally {
    removeEventListener('beforeunload', note)
  }
}
