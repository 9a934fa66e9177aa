let prefetcher: (href: string) => void = () => undefined

/** Tells how a path's code and data are fetched ahead; the router does it once it exists. */
export function setPrefetcher(next: (href: string) => void): void {
  prefetcher = next
}

/** Fetches what a link leads to, ahead of the click. Costs nothing when it is there already. */
export function prefetch(href: string): void {
  prefetcher(href)
}
