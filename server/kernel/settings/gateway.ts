import { z } from 'zod'

/** Namespaces of EVM nodes that the gateway forwards only if the operator enables them. */
const closedNamespaces = ['debug', 'txpool', 'personal'] as const
/** The namespaces that can be enabled for everybody. Excludes `personal`, which uses keys of the node. */
const readingNamespaces = ['debug', 'txpool'] as const

/** The key `gateway`: which calls the service forwards to the nodes, and for whom. */
export const gatewaySchema = z.strictObject({
  /** Whether `/ext/…` is forwarded to the configured nodes at all. */
  enabled: z.boolean().default(true),
  /**
   * Namespaces forwarded for the operator, in addition to eth, net, web3 and those of the primary network.
   */
  namespaces: z.array(z.enum(closedNamespaces)).default([]),
  /** Namespaces forwarded for everybody who can reach the service. */
  publicNamespaces: z.array(z.enum(readingNamespaces)).default([]),
  /**
   * Who may use `/ext/admin` and the administration of chains: nobody, the operator (with the local token, on
   * this machine, with a Host and an Origin of this machine), or everybody who can reach the service.
   */
  administration: z.enum(['off', 'loopback', 'everybody']).default('loopback'),
  /** Additional host names under which a caller on this machine may be the operator. */
  hosts: z.array(z.string().regex(/^[0-9a-z.-]{1,253}$/, 'a host name in lower case')).default([]),
  /** Maximum number of calls in one JSON-RPC batch. */
  batchItems: z.int().min(1).max(1_000).default(40),
  bodyBytes: z.int().min(1_024).max(5_242_880).default(1_048_576),
  /** Maximum bytes of one answer of the node; a longer one is aborted with an error. */
  answerBytes: z
    .int()
    .min(65_536)
    .max(256 * 1_048_576)
    .default(32 * 1_048_576),
  /** Timeout of one call in seconds, answer included. */
  deadlineSeconds: z.number().min(0.5).max(600).default(30),
  /** Maximum number of blocks in one eth_getLogs or eth_newFilter. */
  logRange: z.int().min(1).default(10_000),
  /** Maximum number of concurrent calls; one client gets at most as many as remain free. */
  maxUnderway: z.int().min(1).max(10_000).default(256),
  sockets: z
    .strictObject({
      connections: z.int().min(1).max(100_000).default(12_000),
      /** Per address. */
      perClient: z.int().min(1).max(100_000).default(12_000),
      /** Per connection. */
      subscriptions: z.int().min(1).max(1_000).default(32),
      messageBytes: z.int().min(1_024).max(5_242_880).default(262_144),
      /** Maximum bytes buffered for a client that does not read; beyond it, the connection is closed. */
      bufferedBytes: z.int().min(65_536).default(1_048_576),
    })
    .prefault({}),
})
