import { z } from 'zod'

/** The key `limits`: what one process takes on at once (docs/operations.md, Load limits). */
export const limitsSchema = z.strictObject({
  /** Requests per minute from one address without a key. */
  requestsPerMinute: z.int().min(1).default(6_000),
  /** Requests per minute with one key, unless the key sets its own limit. */
  keyRequestsPerMinute: z.int().min(1).default(60_000),
  bodyBytes: z.int().min(1_024).default(1_048_576),
  /** Open connections; requests on further ones are a 503. */
  connections: z.int().min(1).max(1_000_000).default(3_000),
  /** Requests underway, until their answers are sent; one more is a 503. */
  requestsUnderway: z.int().min(1).max(100_000).default(512),
  /** Bytes of bodies that arrive and of answers that wait for their readers; requests beyond are a 503. */
  waitingBytes: z.int().min(1_048_576).default(67_108_864),
  /** Seconds within which a request must arrive. */
  receiveSeconds: z.number().min(0.1).max(3_600).default(30),
  /** Seconds within which an answer must be read, and a streamed one must be read further. */
  sendSeconds: z.number().min(0.1).max(3_600).default(60),
  /** Maximum number of open `/events` connections. */
  liveConnections: z.int().min(1).default(500),
  /** Timeout of one read of the store in milliseconds. */
  statementMilliseconds: z.int().min(100).default(10_000),
  /** Seconds that a replica may be behind its primary while `/ready` answers 200. */
  replicaLagSeconds: z.int().min(1).default(30),
})
