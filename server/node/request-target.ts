/**
 * The options of a `node:http` request. Credentials are passed as `auth`, because node ignores them in a URL.
 */
type RequestTarget = {
  readonly isSecure: boolean
  readonly options: {
    readonly hostname: string
    readonly port: string
    readonly path: string
    readonly auth?: string
  }
}

/** Converts a node's URL to request options. Throws a TypeError for an invalid URL. */
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
