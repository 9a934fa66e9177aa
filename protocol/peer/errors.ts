/** Bytes that the peer protocol does not know. */
export class PeerMessageError extends Error {
  override readonly name = 'PeerMessageError'
}
