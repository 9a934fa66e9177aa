import { oddKinds, type OddHistory, type OddKind } from '../../../contract/primary/odd-history.ts'
import { safeText } from '../../lib/text.ts'

const words: Readonly<Record<string, string>> = oddKinds satisfies Record<OddKind, string>

/** Says what the network accepted although today's rules would refuse it; nothing for ordinary history. */
export function OddNote({
  of,
  history = [],
}: {
  of: 'transaction' | 'block'
  history?: OddHistory | undefined
}) {
  if (history.length === 0) return null
  const what = history.map(({ kind, detail }) => `it ${words[kind] ?? kind} (${safeText(detail, 200)})`)
  return (
    <p className="max-w-prose border-l-2 border-warn pl-3">
      The network accepted this {of} although today’s rules would refuse it: {what.join('; ')}. It is counted
      as the network counted it.
    </p>
  )
}
