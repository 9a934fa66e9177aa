import { parentPort } from 'node:worker_threads'
import { joinAggregates, keyBytes, loadBls, signatureBytes, signProof, soundOf, type Sound } from './bls.ts'
import { packed, unpacked } from './packed.ts'

/** The operations of the thread by name. Several keys or signatures are concatenated. */
export type BlsWork = {
  readonly sound: (message: Uint8Array, keys: Uint8Array, signatures: Uint8Array) => Sound
  readonly join: (aggregates: Uint8Array) => Uint8Array
  readonly uncompress: (keys: Uint8Array) => Uint8Array
  readonly proof: (secret: Uint8Array, bytes: Uint8Array) => Promise<Uint8Array>
}

type BlsJob = {
  [Name in keyof BlsWork]: { readonly name: Name; readonly given: Parameters<BlsWork[Name]> }
}[keyof BlsWork] & { readonly id: number }

export type BlsResult = { readonly id: number; readonly value?: unknown; readonly error?: string }

const library = loadBls()

async function perform(job: BlsJob): Promise<unknown> {
  const bls = await library
  switch (job.name) {
    case 'sound': {
      const [message, keys, signatures] = job.given
      const claims = unpacked(signatures, signatureBytes)
      const claimed = unpacked(keys, signatureBytes).map((key, place) => ({
        key,
        signature: claims[place] ?? new Uint8Array(),
      }))
      return soundOf(bls, message, claimed)
    }
    case 'join':
      return joinAggregates(bls, unpacked(job.given[0], signatureBytes))
    case 'uncompress':
      return packed(unpacked(job.given[0], keyBytes).map((key) => bls.uncompress(key)))
    case 'proof':
      return signProof(...job.given)
  }
}

parentPort?.on('message', (job: BlsJob) => {
  const answer = (result: Omit<BlsResult, 'id'>): void =>
    parentPort?.postMessage({ id: job.id, ...result }, [])
  perform(job).then(
    (value) => answer({ value }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  )
})
