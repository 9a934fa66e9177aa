/**
 * Cross-chain messages of EVM chains (docs/metrics.md, Cross-chain messages): the logs that say that one was sent or
 * accepted. Texts are lower-case hex with 0x.
 */

/** The precompile that emits messages. It is the same on every chain that has it. */
export const warpPrecompile = '0x0200000000000000000000000000000000000005'

/** Topic 0 of `SendWarpMessage(address,bytes32,bytes)`. */
export const sendWarpMessage = '0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d'

/**
 * TeleporterMessenger, whose creation is signed by nobody's key (Nick's method), so that no other code can be at its
 * address on any chain.
 */
export const teleporterMessenger = '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf'

/**
 * Topic 0 of TeleporterMessenger's `ReceiveCrossChainMessage`: once for each message, when its signatures have been
 * verified. Topic 2 is the blockchain that sent it.
 */
export const receiveCrossChainMessage = '0x292ee90bbaf70b5d4936025e09d56ba08f3e421156b6a568cf3c2840d9343e34'
