/**
 * Topic 0 of `Approval(address indexed, address indexed, uint256)`, which ERC-20 and ERC-721 have, the latter with the id
 * indexed.
 */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
/** Topic 0 of `ApprovalForAll(address indexed, address indexed, bool)` of ERC-721 and ERC-1155. */
export const approvalForAllTopic = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'

const sqlOf = (topic: string): string => String.raw`'\x${topic.slice(2)}'`

/**
 * SQL for approvals among `logs`, by their shape. A statement must have it word for word for the planner to use their index,
 * logs_approvals.
 */
export const approvalLogs = `topic0 in (${sqlOf(approvalTopic)}, ${sqlOf(approvalForAllTopic)}) and topic2 is not null`
