import type { KeptFrom } from '../../../contract/base/fields.ts'
import { UnsupportedState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'

/** What is no longer kept, in sentences: “Logs before block 42 are not kept here (keepLogs).” Empty if all is kept. */
export function notKeptWords({ tracesFrom, logsFrom }: KeptFrom): string {
  const sentences = [
    ...(logsFrom === undefined
      ? []
      : [
          `Logs before block ${formatInteger(logsFrom)}, and the transfers in them, are not kept here (keepLogs).`,
        ]),
    ...(tracesFrom === undefined
      ? []
      : [`Internal calls before block ${formatInteger(tracesFrom)} are not kept here (keepTraces).`]),
  ]
  return sentences.join(' ')
}

/** Where an export of transfers starts: the service refuses one that would lack dropped rows. */
export const firstKept = (start: number | undefined, kept: KeptFrom | undefined): number | undefined =>
  kept?.logsFrom === undefined ? start : Math.max(start ?? 0, Number(kept.logsFrom))

/** The state of a tab whose rows were dropped. */
export function NotKeptState({ kept }: { kept: KeptFrom }) {
  return <UnsupportedState title="Not kept here">{notKeptWords(kept)}</UnsupportedState>
}

/** A notice that rows were dropped; nothing if all are kept. */
export function NotKept({ kept }: { kept: KeptFrom | undefined }) {
  const words = kept ? notKeptWords(kept) : ''
  return words === '' ? null : <p className="pb-3 text-warn">{words}</p>
}
