/** Why a peer gave nothing: the class of the failure, which decides what is done next. */
export type PeerFailureKind =
  /** Nobody told where the validator is. */
  | 'address'
  /** No connection came about, or it broke. */
  | 'connection'
  /** Not everything arrived in time. */
  | 'timeout'
  /** Another node answers at the address. */
  | 'identity'
  /** The peer is of another network. */
  | 'network'
  /** The clocks are too far apart. */
  | 'clock'
  /** Bytes that the protocol does not know. */
  | 'malformed'
  /** It failed a moment ago and is left alone for a while. */
  | 'resting'
  /** As many connections as may be are at work. */
  | 'busy'

/** A failure of one peer. Its message may be shown to callers: it names neither addresses nor keys. */
export class PeerFailure extends Error {
  override readonly name = 'PeerFailure'
  readonly kind: PeerFailureKind
  constructor(kind: PeerFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
