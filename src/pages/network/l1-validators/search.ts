import * as z from 'zod/mini'
import type { L1Filters } from '../../../api/network/validators.ts'
import { isNodeId } from '../validators/is-node-id.ts'

/** The state of the page of L1 validators, in its URL. */
export const l1Schema = z.object({
  subnet: z.catch(z.string().check(z.maxLength(60)), ''),
  node: z.catch(z.string().check(z.maxLength(60)), ''),
  inactive: z.catch(z.enum(['hidden', 'shown']), 'hidden'),
  quorum: z.catch(z.coerce.number<string>().check(z.gte(0), z.lte(100)), 67),
})
type Search = Pick<z.infer<typeof l1Schema>, 'subnet' | 'node' | 'inactive'>

/** The page's state as the operation's filters. */
export const l1FiltersOf = ({ subnet, node, inactive }: Search): L1Filters => ({
  ...(subnet !== '' && { subnetId: subnet }),
  ...(isNodeId(node) && { nodeId: node }),
  ...(inactive === 'shown' && { includeInactiveL1Validators: true }),
})
