import { z } from 'zod'

/** The key `watch`: rules, alarms and how they are sent (docs/watch.md). */
export const watchSchema = z.strictObject({
  /** Whether rules are evaluated and alarms are sent. */
  enabled: z.boolean().default(true),
  /** Whether everybody who reaches the service may read fleets, rules and alarms. */
  publicRead: z.boolean().default(false),
  /**
   * Hosts that channels may lead to although they are not on the internet, with a port if only that one is meant:
   * `alerts.internal`, `127.0.0.1:9093`.
   */
  hosts: z
    .array(
      z
        .string()
        .regex(
          /^(\[[0-9a-f:.]+\]|[0-9a-z.-]{1,253})(:\d{1,5})?$/,
          'a host name in lower case, with or without a port',
        ),
    )
    .max(256)
    .default([]),
  /** Seconds between two evaluations. */
  roundSeconds: z.number().min(0.2).max(60).default(10),
  /** Days for which rounds are kept: the range of dry runs. */
  keepDays: z.int().min(1).max(40).default(40),
  /** Failed attempts after which a message is dead. */
  attempts: z.int().min(1).max(100).default(12),
  /** Timeout of one attempt in seconds. */
  sendSeconds: z.number().min(0.1).max(25).default(10),
})
