/** Maximum number of bytes of a call's input, and of its output, that are stored: longer ones are truncated. */
const keptCallData = 1_024

/** The part of some 0x text that is stored. */
export const keepCallData = (bytes: string): string => bytes.slice(0, 2 + 2 * keptCallData)

/** Whether stored 0x text may be only the beginning of a longer one. */
export const isTruncated = (stored: string): boolean => stored.length === 2 + 2 * keptCallData
