/**
 * Runs a request and reads its answer. The signal ends both after `timeoutMs`, by a TimeoutError, or with `other`. The timeout is
 * held until then: Node holds what only `fetch` or `AbortSignal.any` has of it weakly, and a collection of garbage while an
 * answer is read would lose it.
 */
export async function within<Answer>(
  timeoutMs: number,
  request: (signal: AbortSignal) => Promise<Answer>,
  other?: AbortSignal,
): Promise<Answer> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    return await request(other ? AbortSignal.any([other, late]) : late)
  } finally {
    void late.aborted
  }
}
