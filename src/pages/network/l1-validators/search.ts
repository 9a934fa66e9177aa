import { z } from 'zod'
import type { L1Filters } from '../../../api/network/validators.ts'
import { isNodeId } from '../validators/is-node-id.ts'

/** What the page of L1 validators shows, in its URL. */
export const l1Schema = z.object({
  subnet: z.string().max(60).catch(''),
  node: z.string().max(60).catch(''),
  inactive: z.enum(['hidden', 'shown']).catch('hidden'),
  quorum: z.coerce.number<string>().min(0).max(100).catch(67),
})
type Search = Pick<z.infer<typeof l1Schema>, 'subnet' | 'node' | 'inactive'>

/** The page's state as the operation takes it. */
export const l1FiltersOf = ({ subnet, node, inactive }: Search): L1Filters => ({
  ...(subnet !== '' && { subnetId: subnet }),
  ...(isNodeId(node) && { nodeId: node }),
  ...(inactive === 'shown' && { includeInactiveL1Validators: true }),
})
