import { createRequire } from 'node:module'
import type * as HashWasm from 'hash-wasm'

/** An import would parse the library for its exports, which takes several times as long. */
const { createKeccak } = createRequire(import.meta.url)('hash-wasm') as typeof HashWasm

/**
 * Hashing is the largest part of checking a block. WebAssembly takes a tenth of the time of JavaScript, which
 * lacks 64-bit integers.
 */
const hasher = await createKeccak(256)

/** Keccak-256, as Ethereum uses it. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest('binary')
}
