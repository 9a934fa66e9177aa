let prefetcher: (href: string) => void = () => undefined

/** Sets how the code and data of a path are prefetched; called by the router once it exists. */
export function setPrefetcher(next: (href: string) => void): void {
  prefetcher = next
}

/** Prefetches the code and data of a link's page. Loaded parts are not fetched again. */
export function prefetch(href: string): void {
  prefetcher(href)
}
