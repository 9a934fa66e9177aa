import * as z from 'zod/mini'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'

/** The block range of a list in the URL, both ends inclusive. */
export const heightsSchema = z.object({
  from: wholeNumberInUrl,
  to: wholeNumberInUrl,
})
