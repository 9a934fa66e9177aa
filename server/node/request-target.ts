/** Where a request of `node:http` goes, credentials as its `auth`: in a URL of its own they would be ignored. */
export type RequestTarget = {
  readonly isSecure: boolean
  readonly options: {
    readonly hostname: string
    readonly port: string
    readonly path: string
    readonly auth?: string
  }
}

/** Takes a node's URL apart for a request. Throws a TypeError for a text that is no URL. */
export function requestTarget(url: string): RequestTarget {
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    isSecure: protocol === 'https:',
    options: {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: pathname + search,
      ...(credentials !== ':' && { auth: credentials }),
    },
  }
}
