import { createGuardedPost, DeliveryFailure, type GuardOptions } from '../../kernel/guarded-post.ts'
import { postOf, type Envelope, type Target } from './bodies.ts'
import { sendMail } from './smtp.ts'

/** Sends one message. Throws a DeliveryFailure with a reason that contains no secret, or the signal's reason. */
export type Deliver = (target: Target, envelope: Envelope, signal: AbortSignal) => Promise<void>

/** Creates the function that sends over HTTP or by mail, with a timeout for one attempt. */
export function createDeliver(guard: GuardOptions, timeoutMs: number): Deliver {
  const post = createGuardedPost(guard)
  return async (target, envelope, signal) => {
    if (target.kind === 'smtp') return sendMail(target.settings, envelope, guard, timeoutMs, signal)
    const request = postOf(target, envelope)
    if (!request) {
      throw new DeliveryFailure(`this version can’t send to a channel of the kind ${target.kind}`, {
        isFinal: true,
      })
    }
    return post(request, timeoutMs, signal)
  }
}
