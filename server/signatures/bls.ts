/** Bytes of a compressed signature, and of an uncompressed key. */
export const signatureBytes = 96
/** Bytes of a compressed key. */
export const keyBytes = 48

const signTag = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const proofTag = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

/**
 * BLS with keys in G1 and signatures in G2, as validators use it (docs/signatures.md). Keys and signatures
 * are parsed once into the library's own form.
 */
export type Bls<Key = unknown, Signature = unknown> = {
  readonly name: 'native' | 'portable'
  /** Uncompresses a key: 48 bytes to 96. Throws if the bytes are not a point of the curve. */
  uncompress(key: Uint8Array): Uint8Array
  /** Parses a key of 48 or 96 bytes. Throws if the bytes are not a point of the curve. */
  readKey(key: Uint8Array): Key
  /** Parses a signature of 96 bytes; undefined if it is not a point of the group, or infinity. */
  readSignature(signature: Uint8Array): Signature | undefined
  /** Whether the sum of the signatures is valid for the message under the sum of the keys. */
  verify(message: Uint8Array, keys: readonly Key[], signatures: readonly Signature[]): boolean
  /** The 96 bytes of the sum of one signature or more. */
  aggregate(signatures: readonly Signature[]): Uint8Array
}

/** The native library. Rejects if it has no binary for this machine. */
export async function nativeBls(): Promise<Bls> {
  // Loaded where it is used: a machine may have no binary.
  const blst = await import('@chainsafe/blst')
  const bls: Bls<InstanceType<typeof blst.PublicKey>, InstanceType<typeof blst.Signature>> = {
    name: 'native',
    uncompress: (key) => blst.PublicKey.fromBytes(exactly(keyBytes, key)).toBytes(false),
    readKey: (key) => blst.PublicKey.fromBytes(key),
    readSignature(signature) {
      if (signature.length !== signatureBytes) return undefined
      try {
        return blst.Signature.fromBytes(signature, true)
      } catch {
        // Malformed bytes count as an invalid signature.
        return undefined
      }
    },
    verify: (message, keys, signatures) =>
      blst.fastAggregateVerify(message, [...keys], blst.aggregateSignatures([...signatures])),
    aggregate: (signatures) => blst.aggregateSignatures([...signatures]).toBytes(),
  }
  return bls as Bls
}

/** The portable library in JavaScript: about forty times slower, available on every machine. */
export async function portableBls(): Promise<Bls> {
  const { bls12_381 } = await import('@noble/curves/bls12-381.js')
  const { longSignatures, G1, G2 } = bls12_381
  type Key = ReturnType<typeof G1.Point.fromBytes>
  type Signature = ReturnType<typeof G2.Point.fromBytes>
  const bls: Bls<Key, Signature> = {
    name: 'portable',
    uncompress: (key) => G1.Point.fromBytes(exactly(keyBytes, key)).toBytes(false),
    readKey: (key) => G1.Point.fromBytes(key),
    readSignature(signature) {
      if (signature.length !== signatureBytes) return undefined
      try {
        const point = G2.Point.fromBytes(signature)
        point.assertValidity()
        return point.is0() ? undefined : point
      } catch {
        // Malformed bytes count as an invalid signature.
        return undefined
      }
    },
    verify: (message, keys, signatures) =>
      longSignatures.verify(
        longSignatures.aggregateSignatures([...signatures]),
        longSignatures.hash(message, signTag),
        longSignatures.aggregatePublicKeys([...keys]),
      ),
    aggregate: (signatures) => longSignatures.aggregateSignatures([...signatures]).toBytes(true),
  }
  return bls as Bls
}

/** The native library, or the portable one if there is no binary. */
export async function loadBls(): Promise<Bls> {
  try {
    return await nativeBls()
  } catch {
    // The fallback is slower but equivalent.
    return portableBls()
  }
}

/** Signs bytes under the tag of proofs of possession, as peers demand for their addresses. */
export async function signProof(secret: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
  // The native library supports only the other tag.
  const { bls12_381 } = await import('@noble/curves/bls12-381.js')
  const { longSignatures } = bls12_381
  return longSignatures.sign(longSignatures.hash(bytes, proofTag), secret).toBytes(true)
}

export type Claimed = { readonly key: Uint8Array; readonly signature: Uint8Array }

/** The indexes of the valid signatures, ascending, and the 96 bytes of their sum; no sum if none is valid. */
export type Sound = { readonly places: readonly number[]; readonly aggregate?: Uint8Array }

/**
 * Finds the valid signatures of a message. All are checked at once by their sum; a failing set is split in halves. A
 * set whose sum passes is kept as a whole: its aggregate is valid for exactly its signers, even if single signatures
 * are not.
 */
export function soundOf(bls: Bls, message: Uint8Array, claimed: readonly Claimed[]): Sound {
  const read = claimed.flatMap(({ key, signature }, place) => {
    const point = bls.readSignature(signature)
    return point === undefined ? [] : [{ place, point, key: bls.readKey(key) }]
  })
  const sound: typeof read = []
  const waiting = [read]
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    if (group.length === 0) continue
    const [keys, points] = [group.map(({ key }) => key), group.map(({ point }) => point)]
    if (bls.verify(message, keys, points)) sound.push(...group)
    else if (group.length > 1) {
      const half = group.length >> 1
      waiting.push(group.slice(half), group.slice(0, half))
    }
  }
  if (sound.length === 0) return { places: [] }
  return {
    places: sound.map(({ place }) => place),
    aggregate: bls.aggregate(sound.map(({ point }) => point)),
  }
}

/** Adds aggregates that were already checked. Throws if one is malformed. */
export function joinAggregates(bls: Bls, aggregates: readonly Uint8Array[]): Uint8Array {
  const points = aggregates.map((aggregate) => bls.readSignature(aggregate))
  if (points.includes(undefined)) throw new RangeError('no aggregate of signatures')
  return bls.aggregate(points)
}

function exactly(size: number, bytes: Uint8Array): Uint8Array {
  if (bytes.length !== size) throw new RangeError(`${size} bytes are wanted, not ${bytes.length}`)
  return bytes
}
