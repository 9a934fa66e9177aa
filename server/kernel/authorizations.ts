import { numberToHex, toRlp, type Hex } from 'viem'
import { keccak256 } from './keccak.ts'
import { recoverSigner } from './recover-signer.ts'

/**
 * An authorization of EIP-7702: an account lets its code be that of the contract at `address`, 0x text in lower case.
 * `chainId` is 0 for any chain.
 */
export type Authorization = {
  readonly chainId: bigint
  readonly address: string
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

/** What the signature of an authorization covers is the hash of this byte and the fields (EIP-7702). */
const magic = 5
/** The largest `s` of a signature (EIP-2): half of the order of secp256k1. */
const maxS = 0x7fffffff_ffffffff_ffffffff_ffffffff_5d576e73_57a4501d_dfe92f46_681b20a0n

/** The account that signed an authorization, 0x text in lower case; undefined if the signature is that of nobody. */
export function authorityOf({ chainId, address, nonce, yParity, r, s }: Authorization): string | undefined {
  if (yParity > 1n || s > maxS) return undefined
  const fields = toRlp([rlpQuantity(chainId), address as Hex, rlpQuantity(nonce)], 'bytes')
  return recoverSigner(keccak256(Buffer.concat([Buffer.of(magic), fields])), {
    r,
    s,
    parity: Number(yParity),
  })
}

/** An integer as RLP has it: without leading zeros, and zero as no bytes. */
const rlpQuantity = (value: bigint): Hex => (value === 0n ? '0x' : numberToHex(value))
