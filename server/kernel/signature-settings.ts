import { z } from 'zod'
import { url } from './url-setting.ts'

/** The key `signatures`: how validators are asked for signatures. */
export const signaturesSchema = z.strictObject({
  /** How the service names its release to peers, such as avalanchego/1.15.0; theirs when left out. */
  clientVersion: z
    .string()
    .regex(/^[a-z]{1,32}\/\d{1,4}\.\d{1,4}\.\d{1,4}$/, 'a name and a version, such as avalanchego/1.15.0')
    .optional(),
  /** Validators that `info.peers` does not tell of. */
  peers: z
    .array(
      z.strictObject({
        nodeId: z.string().regex(/^NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}$/, 'a node id'),
        address: z
          .string()
          .regex(/^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\]):\d{1,5}$/, 'an IP address and a port'),
      }),
    )
    .max(10_000)
    .default([]),
  /** RPC bases of validators' own nodes: the second source of a signature. */
  validatorNodes: z
    .array(
      z.strictObject({
        nodeId: z.string().regex(/^NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}$/, 'a node id'),
        url: url('http:', 'https:'),
      }),
    )
    .max(10_000)
    .default([]),
  /** Seconds that one round may take. */
  deadlineSeconds: z.number().min(0.5).max(120).default(10),
  /** Seconds that one validator may take to answer before it is asked again. */
  answerSeconds: z.number().min(0.1).max(60).default(3),
  /** Rounds at the same time; one more is told to come back. */
  mostRounds: z.int().min(1).max(1_000).default(32),
  /** Open connections to validators. */
  mostPeers: z.int().min(1).max(10_000).default(2_000),
  /** Seconds for which a signed message is kept. */
  cacheSeconds: z.int().min(0).max(86_400).default(600),
})
