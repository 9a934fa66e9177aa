import type { NetworkName } from '../../../api/current.ts'

/** What each part of the page is about. */
export type Node = { network: NetworkName; nodeId: string }
