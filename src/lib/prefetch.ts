let prefetcher: (href: string) => void = () => undefined

/** Says how the code and data of a path are prefetched; the router does it once it exists. */
export function setPrefetcher(next: (href: string) => void): void {
  prefetcher = next
}

/** Fetches the code and data of what a link leads to, before the click. What is there already is not fetched again. */
export function prefetch(href: string): void {
  prefetcher(href)
}
