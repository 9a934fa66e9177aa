import * as z from 'zod/mini'
import { pause } from '../client.ts'
import { ApiError, errorOfAnswer, unreached } from '../errors.ts'
import { tokenHeader } from '../local-token.ts'
import { keyed, session } from '../session.ts'

/** Sources with what compiles them, and which of their contracts is meant, as `path:name`. */
export type SourceToVerify = {
  readonly stdJsonInput: unknown
  readonly compilerVersion: string
  readonly contractIdentifier: string
}

const submitted = z.object({ verificationId: z.string() })
const check = z.object({
  isJobCompleted: z.boolean(),
  contract: z.object({ match: z.nullable(z.string()) }),
  error: z.optional(z.object({ message: z.string() })),
})

/** Milliseconds between two questions for the state of a check. */
const interval = 1_000

/**
 * Sends sources to the service that serves this page, which compiles them, and waits for the result: how the code fits
 * (docs/contracts.md). Throws ApiError: for a refused request, and for sources that do not make this code.
 */
export async function verifySource(
  chainId: string,
  address: string,
  source: SourceToVerify,
  signal: AbortSignal,
): Promise<string> {
  const id = submitted.parse(
    await ask(`/sourcify/v2/verify/${chainId}/${address}`, signal, source),
  ).verificationId
  for (;;) {
    const state = check.parse(await ask(`/sourcify/v2/verify/${id}`, signal))
    if (state.error) throw new ApiError('status', state.error.message, { status: 422, name: 'Not verified' })
    if (state.isJobCompleted) return state.contract.match ?? ''
    await pause(interval, signal)
  }
}

async function ask(path: string, signal: AbortSignal, body?: unknown): Promise<unknown> {
  const { profile } = await session()
  const response = await fetch(path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    ...keyed(profile, {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...tokenHeader(profile),
    }),
    // The token must not go to another place either.
    redirect: 'error',
    signal,
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw unreached(cause)
  })
  if (!response.ok) throw await errorOfAnswer(response, Date.now())
  return response.json()
}
