/** Maximum stake in nAVAX of a primary network validator, with its delegations, on every public network. */
export const maxValidatorStake = 3_000_000_000_000_000n

/** Maximum stake of a primary network validator with its delegations, as a multiple of its own stake. */
export const maxStakeFactor = 5

/**
 * The uptime in percent that a primary network validator needs for a reward; Helicon (ACP-267) increased it.
 * `helicon` is its activation time; undefined if it never activated.
 */
export function wantedUptime(start: number, helicon: number | undefined): number {
  return helicon !== undefined && start >= helicon ? 90 : 80
}
