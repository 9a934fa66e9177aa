/** The class of a peer's failure, which decides the next step. */
export type PeerFailureKind =
  /** The validator's address is unknown. */
  | 'address'
  /** The connection could not be opened, or it broke. */
  | 'connection'
  /** The deadline passed. */
  | 'timeout'
  /** Another node answers at the address. */
  | 'identity'
  /** The peer is of another network. */
  | 'network'
  /** The clocks are too far apart. */
  | 'clock'
  /** The peer violated the protocol. */
  | 'malformed'
  /** The peer failed recently and is in backoff. */
  | 'resting'
  /** The limit of connections is reached. */
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
