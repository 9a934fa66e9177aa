import { z } from 'zod'

/** Bytes as a node writes them, read as 0x text in lower case; of any length if `size` is absent. */
export const hexBytes = (size?: number) =>
  z
    .string()
    .regex(size === undefined ? /^0x([0-9a-fA-F]{2})*$/ : new RegExp(`^0x[0-9a-fA-F]{${2 * size}}$`))
    .transform((text) => text.toLowerCase() as `0x${string}`)

/** An unsigned integer of at most 256 bits as a node writes it. */
export const hexQuantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)
