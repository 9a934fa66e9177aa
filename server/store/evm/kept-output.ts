/** Maximum number of bytes of a failed transaction's output that are stored: longer ones are truncated. */
export const keptOutput = 1_024
