import {
  checkedAddresses,
  checkedUrl,
  createGuardedPost,
  DeliveryFailure,
  type GuardOptions,
} from '../../kernel/guarded-post.ts'
import { postOf, urlOf, type Envelope, type Target } from './bodies.ts'
import { sendMail } from './smtp.ts'

/** Sends one message. Throws a DeliveryFailure with a reason that contains no secret, or the signal's reason. */
export type Deliver = (target: Target, envelope: Envelope, signal: AbortSignal) => Promise<void>

/**
 * Why nothing would be sent to a channel's destination; undefined if it may be. A name that does not answer now may
 * answer later.
 */
export async function forbiddenReason(
  { kind, settings }: Target,
  guard: GuardOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const own = urlOf({ kind, settings })
    if (own !== undefined) {
      const { url, port } = checkedUrl(guard, own)
      await checkedAddresses(guard, url.hostname, port, signal)
    } else if (kind === 'smtp')
      await checkedAddresses(guard, String(settings['host']), String(settings['port']), signal)
    return undefined
  } catch (error) {
    return error instanceof DeliveryFailure && error.isForbidden ? error.message : undefined
  }
}

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
