import { Outlook } from '../../watch/outlook/outlook.tsx'
import type { Node } from './node.ts'

/** What the running validation of a node can still become. */
export const OutlookTab = (node: Node) => <Outlook {...node} />
