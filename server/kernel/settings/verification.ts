import { z } from 'zod'

/** The key `verification`: checks of contracts' sources (docs/contracts.md). */
export const verificationSchema = z.strictObject({
  /**
   * Who may give sources: `everyone`, those with the local token or a key or role with the privilege `verify`, or nobody
   * (`off`). If absent, everyone while the service listens on this machine only, else those with a proof.
   */
  who: z.enum(['everyone', 'keys', 'off']).optional(),
  /** Seconds after which a compiler is ended. */
  seconds: z.number().min(1).max(3_600).default(60),
  /** Memory of a compiler. */
  memoryMegabytes: z.int().min(64).max(16_384).default(1_024),
})
export type VerificationConfig = z.infer<typeof verificationSchema>
