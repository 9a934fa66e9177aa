/**
 * The validations of a node without the delegations to it, of which a popular node has thousands: the watch looks up the
 * present validation of every node in each round.
 */
export const validationsOfNodes = `
create index stakers_node_validations on stakers (chain, node, height, index) where not is_delegator;
`
