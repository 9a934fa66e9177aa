/** Whether text is a node ID in the operations' format. */
export const isNodeId = (text: string): boolean => /^NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)
