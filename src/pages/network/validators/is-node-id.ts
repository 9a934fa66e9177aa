/** Whether a text is a node id as operations take it. */
export const isNodeId = (text: string): boolean => /^NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)
