/** Nodes on the user's own machine: the node console calls them directly. */
export const ownMachine = [
  'http://127.0.0.1:*',
  'http://localhost:*',
  'ws://127.0.0.1:*',
  'ws://localhost:*',
] as const

/**
 * The content security policy of the dashboard, as directives. `connect` are the sources that it may call besides its own
 * origin. `frame-ancestors` stands only in a header.
 */
export const contentPolicy = (connect: readonly string[]) => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  // Logos and token images may come from anywhere; data: is for small icons.
  'img-src': ["'self'", 'data:', 'blob:', 'https:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'", ...connect],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
})
