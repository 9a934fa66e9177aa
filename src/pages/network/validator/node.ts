import type { NetworkName } from '../../../api/current.ts'

/** The node of a page's tab. */
export type Node = { network: NetworkName; nodeId: string }
