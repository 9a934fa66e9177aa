/** Bytes that violate the peer protocol. */
export class PeerMessageError extends Error {
  override readonly name = 'PeerMessageError'
}
