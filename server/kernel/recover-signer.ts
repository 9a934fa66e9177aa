import { secp256k1 } from '@noble/curves/secp256k1.js'
import { publicKeyToAddress } from 'viem/accounts'

/** A signature of secp256k1; `parity` is that of the point's y, 0 or 1. */
type EcdsaSignature = { readonly r: bigint; readonly s: bigint; readonly parity: number }

/**
 * The account whose key signed a hash of 32 bytes, as 0x text in lower case; undefined if the signature is that of nobody:
 * made-up ones are not on the curve, or have no valid form.
 */
export function recoverSigner(hash: Uint8Array, { r, s, parity }: EcdsaSignature): string | undefined {
  try {
    const key = new secp256k1.Signature(r, s).addRecoveryBit(parity).recoverPublicKey(hash).toHex(false)
    return publicKeyToAddress(`0x${key}`).toLowerCase()
  } catch {
    return undefined
  }
}
