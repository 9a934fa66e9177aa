import * as z from 'zod/mini'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'

/** A call in the URL: the function's signature, its arguments as JSON, and the block after which it is made. */
export const callSchema = z.object({
  call: z.catch(z.optional(z.string()), undefined),
  args: z.catch(z.optional(z.string()), undefined),
  block: wholeNumberInUrl,
})

/** The arguments of a call in the URL; undefined if they are no JSON. */
export function argumentsOf(args: string | undefined): unknown {
  try {
    return args === undefined ? undefined : JSON.parse(args)
  } catch {
    return undefined
  }
}
