import { hexOf, type BareHex } from '../../protocol/ids/bare-hex.ts'
import { nodeIdOf, sha256 } from '../../protocol/native/hashes.ts'
import { selfSigned, type SelfSigned } from '../../protocol/peer/certificate.ts'

/** The certificate of a node of the sample. */
export type Certificate = SelfSigned & {
  /** 20 bytes. */
  readonly nodeId: BareHex
}

/** The certificate derived from a name. */
export function certificateOf(name: string): Certificate {
  const made = selfSigned(new Uint8Array(sha256(Buffer.from(`ridgeline sample certificate/${name}`))))
  return { ...made, nodeId: hexOf(nodeIdOf(made.der)) }
}
