import * as z from 'zod/mini'

/**
 * The second argument of `safeParse` where the messages of the issues are shown. `zod/mini` contains no messages:
 * without this every issue reads "Invalid input", unless its schema has a message of its own.
 */
export const inEnglish = { error: z.locales.en().localeError }
