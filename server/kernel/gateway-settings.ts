import { z } from 'zod'

/** Namespaces of EVM nodes that the gateway passes on only where the operator opens them. */
const closedNamespaces = ['debug', 'txpool', 'personal'] as const
/** Those that can be opened to everybody: `personal` uses keys of the node. */
const readingNamespaces = ['debug', 'txpool'] as const

/** The key `gateway`: what of the nodes the service passes on, and to whom. */
export const gatewaySchema = z.strictObject({
  /** Whether `/ext/…` leads to the configured nodes at all. */
  enabled: z.boolean().default(true),
  /** Namespaces that are passed on for the operator beside eth, net, web3 and those of the primary network. */
  namespaces: z.array(z.enum(closedNamespaces)).default([]),
  /** Namespaces that are passed on for everybody who reaches the service. */
  publicNamespaces: z.array(z.enum(readingNamespaces)).default([]),
  /**
   * Who may reach `/ext/admin` and the administration of chains: nobody, the operator (the local token, on this
   * machine, under a Host and an Origin of this machine), or everybody who reaches the service.
   */
  administration: z.enum(['off', 'loopback', 'everybody']).default('loopback'),
  /** Host names beside the loopback ones under which a caller on this machine may be the operator. */
  hosts: z.array(z.string().regex(/^[0-9a-z.-]{1,253}$/, 'a host name in lower case')).default([]),
  /** Calls in one JSON-RPC batch. */
  batchItems: z.int().min(1).max(1_000).default(40),
  bodyBytes: z.int().min(1_024).max(5_242_880).default(1_048_576),
  /** Bytes of one answer of the node; a longer one is cut off with an error. */
  answerBytes: z
    .int()
    .min(65_536)
    .max(256 * 1_048_576)
    .default(32 * 1_048_576),
  /** Seconds that one call may take, its answer included. */
  deadlineSeconds: z.number().min(0.5).max(600).default(30),
  /** Blocks that one eth_getLogs or eth_newFilter may span. */
  logRange: z.int().min(1).default(10_000),
  /** Calls underway at once; of one client at most as many as are left for others. */
  mostUnderway: z.int().min(1).max(10_000).default(256),
  sockets: z
    .strictObject({
      connections: z.int().min(1).max(100_000).default(12_000),
      /** Of one address. */
      perClient: z.int().min(1).max(100_000).default(12_000),
      /** Of one connection. */
      subscriptions: z.int().min(1).max(1_000).default(32),
      messageBytes: z.int().min(1_024).max(5_242_880).default(262_144),
      /** What may wait for a reader that does not read; more ends its connection. */
      bufferedBytes: z.int().min(65_536).default(1_048_576),
    })
    .prefault({}),
})
