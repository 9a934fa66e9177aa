import { z } from 'zod'
import { url } from './url.ts'

/** The key `signatures`: how signatures are requested from validators. */
export const signaturesSchema = z.strictObject({
  /**
   * The client version that the service reports to peers, such as avalanchego/1.15.0; by default the same as
   * theirs.
   */
  clientVersion: z
    .string()
    .regex(/^[a-z]{1,32}\/\d{1,4}\.\d{1,4}\.\d{1,4}$/, 'a name and a version, such as avalanchego/1.15.0')
    .optional(),
  /** Validators that `info.peers` does not list. */
  peers: z
    .array(
      z.strictObject({
        nodeId: z.string().regex(/^NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}$/, 'a node ID'),
        address: z
          .string()
          .regex(/^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\]):\d{1,5}$/, 'an IP address and a port'),
      }),
    )
    .max(10_000)
    .default([]),
  /** RPC base URLs of validators' nodes: the second source of a signature. */
  validatorNodes: z
    .array(
      z.strictObject({
        nodeId: z.string().regex(/^NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}$/, 'a node ID'),
        url: url('http:', 'https:'),
      }),
    )
    .max(10_000)
    .default([]),
  /** Timeout of one round in seconds. */
  deadlineSeconds: z.number().min(0.5).max(120).default(10),
  /** Seconds until a validator that has not answered is asked again. */
  answerSeconds: z.number().min(0.1).max(60).default(3),
  /** Maximum number of concurrent rounds; further requests are told to retry. */
  maxRounds: z.int().min(1).max(1_000).default(32),
  /** Maximum number of open connections to validators. */
  maxPeers: z.int().min(1).max(10_000).default(2_000),
  /** Seconds for which a signed message is cached. */
  cacheSeconds: z.int().min(0).max(86_400).default(600),
})
