/** The header that carries the local token of a service (docs/gateway.md, The local token). */
export const localTokenHeader = 'x-ridgeline-token'

/** Precedes the token in a link to the dashboard: a fragment is not sent to any server. */
export const localTokenFragment = '#token='

/**
 * The subprotocols with which a page sends the token when it opens a websocket, because it cannot set
 * headers: the first one is selected by the service; the second is a prefix followed by the token, and is
 * never returned.
 */
export const localTokenProtocols = { agreed: 'ridgeline', token: 'ridgeline.token.' } as const

/** The format of a token, which needs no escaping in a header, a fragment or a subprotocol. */
export const localTokenPattern = /^[\w-]{32,256}$/
