import { z } from 'zod'

/** The blocks that a list shows, both ends inclusive, in the URL. */
export const heightsSchema = z.object({
  from: z.coerce.number<string>().int().min(0).optional().catch(undefined),
  to: z.coerce.number<string>().int().min(0).optional().catch(undefined),
})
