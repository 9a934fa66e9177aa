import type { SignerSet } from '../../../contract/signatures/warp.ts'
import { Term } from '../../components/glossary/term.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import type { FieldErrors } from './draft.ts'
import { Field } from './field.tsx'
import { WeightBar, Swatch, type BarPart } from './weight-bar.tsx'
import { shareText, weightText } from './weight-text.ts'
import { byWeight, linked, reachedPercentage, requiredWeight, sumOfWeights } from './weights.ts'

type Props = {
  /** The signers; undefined while unknown. */
  set: SignerSet | undefined
  /** Whether they are about to be known. */
  isLoading: boolean
  quorum: string
  buffer: string
  onChange: (patch: { quorum?: string; buffer?: string }) => void
  errors: FieldErrors
  disabled: boolean
}

const figure = (text: string): number => (/^\d{1,3}$/.test(text) ? Math.min(100, Number(text)) : 0)

function partsOf(set: SignerSet): BarPart[] {
  const total = BigInt(set.totalWeight)
  const parts = byWeight(set.signers).map(({ index, weight, nodeIds, isConnected }): BarPart => ({
    key: index,
    weight: BigInt(weight),
    tone: isConnected ? 'connected' : 'away',
    title: `${nodeIds.join(', ')}: ${weightText(weight, set.subnetId)}, ${shareText(weight, total)}${isConnected === false ? ', not connected' : ''}`,
  }))
  const keyless = BigInt(set.keylessWeight)
  if (keyless > 0n)
    parts.push({ key: 'keyless', weight: keyless, tone: 'keyless', title: 'Without a BLS key: never signs' })
  return parts
}

function Standing({ set, quorum }: { set: SignerSet; quorum: number }) {
  const { subnetId, signers } = set
  const total = BigInt(set.totalWeight)
  const connected = signers.filter(({ isConnected }) => isConnected)
  const isUnknown = signers.every(({ isConnected }) => isConnected === undefined)
  const weight = sumOfWeights(connected)
  const able = total - BigInt(set.keylessWeight)
  return (
    <div className="flex flex-col gap-1 text-xs text-muted">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span>
          {formatInteger(signers.length)} {plural(signers.length, 'signer')} with{' '}
          {weightText(total, subnetId)} in all, at P-Chain height {formatInteger(set.pChainHeight)}
        </span>
        <span className="flex items-center gap-1.5">
          <Swatch tone="connected" />
          {isUnknown
            ? 'no connection opened yet'
            : `${formatInteger(connected.length)} connected now: ${shareText(weight, total)}`}
        </span>
        {able < total && (
          <span className="flex items-center gap-1.5">
            <Swatch tone="keyless" />
            without a BLS key, never sign: {shareText(total - able, total)}
          </span>
        )}
      </p>
      {able < requiredWeight(total, quorum) && (
        <p className="text-warn">
          No round can reach this quorum: those who have a key hold {reachedPercentage(able, total)} % of the
          weight.
        </p>
      )}
    </div>
  )
}

/** Both percentages on one scale of weight: signers are parts of the track, percentages are lines across it. */
export function QuorumScale({ set, isLoading, quorum, buffer, onChange, errors, disabled }: Props) {
  const low = figure(quorum)
  const high = Math.min(100, low + figure(buffer))
  const total = set === undefined ? undefined : BigInt(set.totalWeight)
  const amountAt = (percent: number): string =>
    total === undefined
      ? `${percent} %`
      : `${percent} %, ${weightText(requiredWeight(total, percent), set?.subnetId)}`
  const move = (to: Parameters<typeof linked>[1]): void => {
    const next = linked({ quorum: low, buffer: high - low }, to)
    onChange({ quorum: String(next.quorum), buffer: String(next.buffer) })
  }
  const thumb = (label: string, value: number, onValue: (value: number) => void) => (
    <input
      type="range"
      className="range"
      min={0}
      max={100}
      step={1}
      aria-label={label}
      aria-valuetext={amountAt(value)}
      disabled={disabled}
      value={value}
      onChange={(event) => onValue(event.target.valueAsNumber)}
    />
  )
  const number = (value: string, name: 'quorum' | 'buffer') => (control: object) => (
    <span className="flex items-center gap-2">
      <input
        {...control}
        inputMode="numeric"
        autoComplete="off"
        className="field h-7 w-16 text-right"
        disabled={disabled}
        value={value}
        onChange={(event) => onChange({ [name]: event.target.value.trim() })}
      />
      %
    </span>
  )
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="grid grid-cols-2 gap-4">
        <Field
          label="Quorum"
          beside={<Term word="quorum" />}
          error={errors.quorumPercentage}
          hint={
            total === undefined
              ? 'of the weight must sign'
              : `at least ${weightText(requiredWeight(total, low), set?.subnetId)}`
          }
        >
          {number(quorum, 'quorum')}
        </Field>
        <Field
          label="Buffer"
          beside={<Term word="buffer" />}
          error={errors.quorumPercentageBuffer}
          hint={
            high === low ? 'no weight beyond the quorum is collected' : `up to ${amountAt(high)} is collected`
          }
        >
          {number(buffer, 'buffer')}
        </Field>
      </div>
      <div>
        {thumb('Quorum', low, (value) => move({ quorum: value }))}
        {/* A thumb's centre moves between half its width from either end. */}
        <div className="mx-[9px]">
          <WeightBar
            label={
              set === undefined
                ? `A quorum of ${low} %`
                : `The weights of ${set.signers.length} signers, and a quorum of ${amountAt(low)}`
            }
            parts={set === undefined ? [] : partsOf(set)}
            total={total ?? 0n}
            marks={[{ at: low }, ...(high > low ? [{ at: high, soft: true }] : [])]}
          />
        </div>
        {thumb('Quorum with its buffer', high, (value) => move({ reach: value }))}
      </div>
      {(set !== undefined || isLoading) && (
        // Two lines from the start, so that the button below does not move from under the pointer.
        <div className="min-h-9">{set && <Standing set={set} quorum={low} />}</div>
      )}
    </div>
  )
}
