/** The header that carries the local token of a service (docs/gateway.md, The local token). */
export const localTokenHeader = 'x-ridgeline-token'

/** What a link to the dashboard carries the token behind: a fragment is not sent to any server. */
export const localTokenFragment = '#token='

/**
 * The subprotocols that a page offers with a websocket to send the token, which it can't put into a header: the
 * first one, which is agreed to, and this beginning with the token behind it, which is never answered.
 */
export const localTokenProtocols = { agreed: 'ridgeline', token: 'ridgeline.token.' } as const

/** What a token consists of: it fits a header, a fragment and the name of a subprotocol unescaped. */
export const localTokenPattern = /^[\w-]{32,256}$/
