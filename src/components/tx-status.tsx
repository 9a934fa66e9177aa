import { FailedIcon, OkIcon } from './icons.ts'
import { Pill } from './pill.tsx'

/**
 * The status of a transaction in the hosted API's format: "1" success, "0" failure; other text is shown as it is.
 */
export function TxStatus({ status, compact = false }: { status: string; compact?: boolean }) {
  if (compact)
    return status === '1' ? (
      <span className="inline-flex text-ok" title="Succeeded">
        <OkIcon size={14} />
        <span className="sr-only">Succeeded</span>
      </span>
    ) : (
      <span className="inline-flex items-center gap-1 text-xs text-bad" title="Failed">
        <FailedIcon size={14} />
        <span className="sr-only">Failed</span>
      </span>
    )
  if (status === '1') return <Pill state="ok">Succeeded</Pill>
  if (status === '0') return <Pill state="failed">Failed</Pill>
  return <Pill state="neutral">{status}</Pill>
}
