/** The most nAVAX that a validator of the primary network may hold, alone and with its delegations, on every public network. */
export const maxValidatorStake = 3_000_000_000_000_000n

/** How many times its own stake a validator of the primary network may hold with its delegations. */
export const maxStakeFactor = 5

/**
 * How much of its period, in percent, a validator of the primary network must be up to be rewarded; since
 * Helicon (ACP-267) it is more. `helicon` is its activation time; undefined if it never activated.
 */
export function wantedUptime(start: number, helicon: number | undefined): number {
  return helicon !== undefined && start >= helicon ? 90 : 80
}
