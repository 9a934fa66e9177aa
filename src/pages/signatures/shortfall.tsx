import { formatInteger } from '../../lib/amounts.ts'
import { plural, safeText } from '../../lib/text.ts'
import { Button } from '../../components/controls.tsx'
import { outcomeWords, reasonsOf, type Advice, type Shortfall } from './explain.ts'
import type { Run } from './run.ts'
import { shareText, weightText } from './weight-text.ts'

type Props = {
  run: Run
  shortfall: Shortfall
  onQuorum: (quorum: number) => void
  onAgain: () => void
}

function AdviceLine({
  advice,
  shortfall,
  text,
  onQuorum,
  onAgain,
}: Pick<Props, 'shortfall' | 'onQuorum' | 'onAgain'> & { advice: Advice; text: (weight: bigint) => string }) {
  switch (advice.kind) {
    case 'lower':
      return (
        <>
          Lower the quorum: {advice.quorum} % was reached.{' '}
          <Button small onClick={() => onQuorum(advice.quorum)}>
            Set the quorum to {advice.quorum} %
          </Button>
        </>
      )
    case 'again':
      return (
        <>
          Wait and try again: {text(advice.weight)} ({shareText(advice.weight, shortfall.total)}) did not
          answer or could not be reached.{' '}
          <Button small onClick={onAgain}>
            Try again
          </Button>
        </>
      )
    case 'content':
      return (
        <>
          Look at the message: {text(advice.weight)} refused. A validator signs only what its own chain has
          accepted, and some messages of the P-Chain only with their justification.
        </>
      )
    case 'height':
      return <>The validator set may have changed: try a nearby P-Chain height.</>
    case 'never':
      return <>No round can reach this quorum: those who have a BLS key hold {advice.max} % of the weight.</>
  }
}

/** Why a quorum was missed: the missing weight, the reasons, and what may help. */
export function ShortfallView({ run, shortfall, onQuorum, onAgain }: Props) {
  const subnetId = run.begun?.set.subnetId
  const text = (weight: bigint): string => weightText(weight, subnetId)
  const { missing, total, required, signed, advice } = shortfall
  const reasons = reasonsOf(run)
  return (
    <div className="flex flex-col gap-3">
      <p>
        {text(missing)} of weight is missing ({shareText(missing, total)}): {text(signed)} signed, and{' '}
        {text(required)} of {text(total)} were needed.
      </p>
      {reasons.length > 0 && (
        <div>
          <h3 className="font-strong">Who did not sign, and why</h3>
          <ul className="list-disc pl-5" aria-label="Reasons">
            {reasons.slice(0, 8).map(({ outcome, reason, count, weight }) => (
              <li key={`${outcome} ${reason}`} className="break-words">
                {formatInteger(count)} {plural(count, 'signer')}, {shareText(weight, total)}:{' '}
                {outcomeWords[outcome]?.word ?? safeText(outcome, 24)}, {safeText(reason, 200)}
              </li>
            ))}
            {reasons.length > 8 && <li>{reasons.length - 8} more in the table</li>}
          </ul>
        </div>
      )}
      {advice.length > 0 && (
        <div>
          <h3 className="font-strong">What may help</h3>
          <ul className="flex list-disc flex-col gap-1 pl-5" aria-label="What may help">
            {advice.map((one) => (
              <li key={one.kind}>
                <AdviceLine
                  advice={one}
                  shortfall={shortfall}
                  text={text}
                  onQuorum={onQuorum}
                  onAgain={onAgain}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
