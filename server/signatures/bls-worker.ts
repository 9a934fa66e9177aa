import { parentPort } from 'node:worker_threads'
import { joinAggregates, loadBls, signProof, soundOf, type Claimed, type Sound } from './bls.ts'

/** What the thread does, by the name of the work. */
export type BlsWork = {
  readonly sound: (message: Uint8Array, claimed: readonly Claimed[]) => Sound
  readonly join: (aggregates: readonly Uint8Array[]) => Uint8Array
  readonly uncompress: (keys: readonly Uint8Array[]) => readonly Uint8Array[]
  readonly proof: (secret: Uint8Array, bytes: Uint8Array) => Promise<Uint8Array>
}

export type BlsJob = {
  [Name in keyof BlsWork]: { readonly name: Name; readonly given: Parameters<BlsWork[Name]> }
}[keyof BlsWork] & { readonly id: number }

export type BlsResult = { readonly id: number; readonly value?: unknown; readonly error?: string }

const library = loadBls()

async function perform(job: BlsJob): Promise<unknown> {
  const bls = await library
  switch (job.name) {
    case 'sound':
      return soundOf(bls, ...job.given)
    case 'join':
      return joinAggregates(bls, ...job.given)
    case 'uncompress':
      return job.given[0].map((key) => bls.uncompress(key))
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
