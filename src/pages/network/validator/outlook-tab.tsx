import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Outlook } from '../../watch/outlook/outlook.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Node } from './node.ts'

/** What the running validation of a node can still become. */
export function OutlookTab(node: Node) {
  const { term, error } = useLeadingTerm(node)
  if (term === undefined && !error) return <SkeletonRows count={14} />
  if (term !== undefined && term?.validationStatus !== 'active')
    return (
      <EmptyState title="No current validation">
        This node does not validate the Primary Network now. Past validations are under Validations.
      </EmptyState>
    )
  if (term?.isIndexed === false)
    return (
      <EmptyState title="Not indexed yet">
        What it can still become is known once the P-Chain is indexed up to its validation.
      </EmptyState>
    )
  return <Outlook {...node} />
}
