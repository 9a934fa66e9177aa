import type { ReactNode } from 'react'
import { Figures } from '../../components/figures.tsx'
import { FailedIcon } from '../../components/icons.ts'
import { Pill } from '../../components/pill.tsx'
import { Section } from '../../components/section.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger, formatNumber } from '../../lib/amounts.ts'
import { plural, safeText } from '../../lib/text.ts'
import { Button } from '../../components/controls.tsx'
import { contentOf, kindOf, nextStep } from './about.ts'
import { groupsOf, outcomeWords, shortfallOf, type Group } from './explain.ts'
import type { Run } from './run.ts'
import { ShortfallView } from './shortfall.tsx'
import { SignedMessage } from './signed-message.tsx'
import { SignerTable } from './signer-table.tsx'
import { Swatch, WeightBar, type BarPart } from './weight-bar.tsx'
import { shareText, weightText } from './weight-text.ts'
import { reachedPercentage, requiredWeight } from './weights.ts'

const pills: Record<Run['state'], ReactNode> = {
  running: <Pill state="pending">collecting</Pill>,
  done: <Pill state="ok">signed</Pill>,
  failed: <Pill state="failed">failed</Pill>,
  left: <Pill state="ended">cancelled</Pill>,
}

function Legend({ groups, run }: { groups: readonly Group[]; run: Run }) {
  const total = run.totalWeight ?? '0'
  const keyless = run.begun?.set.keylessWeight ?? '0'
  return (
    <ul aria-label="What became of the signers" className="flex flex-wrap gap-x-5 gap-y-1 text-xs">
      {groups.map(({ outcome, signers, weight }) => (
        <li key={outcome} className="flex items-center gap-1.5" title={outcomeWords[outcome]?.meaning}>
          <Swatch tone={outcome} />
          {outcomeWords[outcome]?.word ?? safeText(outcome, 24)}: {formatInteger(signers.length)},{' '}
          {shareText(weight, total)}
        </li>
      ))}
      {BigInt(keyless) > 0n && (
        <li className="flex items-center gap-1.5" title={outcomeWords['keyless']?.meaning}>
          <Swatch tone="keyless" />
          no key: {shareText(keyless, total)}
        </li>
      )}
    </ul>
  )
}

function Bar({ run }: { run: Run }) {
  const set = run.begun?.set
  if (!set || run.totalWeight === undefined) return null
  const total = BigInt(run.totalWeight)
  const groups = groupsOf(run)
  const parts = groups.flatMap(({ outcome, signers }) =>
    signers.map(({ index, weight, nodeIds }): BarPart => ({
      key: index,
      weight: BigInt(weight),
      tone: outcome,
      title: `${nodeIds.join(', ')}: ${outcomeWords[outcome]?.word ?? outcome}, ${shareText(weight, total)}`,
    })),
  )
  const keyless = BigInt(set.keylessWeight)
  if (keyless > 0n)
    parts.push({ key: 'keyless', weight: keyless, tone: 'keyless', title: 'Without a BLS key' })
  const { quorumPercentage = 67, quorumPercentageBuffer = 0 } = run.asked.body
  return (
    <div className="flex flex-col gap-2">
      <WeightBar
        label={`${shareText(run.signedWeight ?? '0', total)} of the weight has signed; the quorum is ${quorumPercentage} %`}
        parts={parts}
        total={total}
        marks={[
          { at: quorumPercentage },
          ...(quorumPercentageBuffer > 0
            ? [{ at: quorumPercentage + quorumPercentageBuffer, soft: true }]
            : []),
        ]}
      />
      <Legend groups={groups} run={run} />
    </div>
  )
}

function RunFigures({ run }: { run: Run }) {
  const { begun, signedWeight, totalWeight, signers } = run
  const subnetId = begun?.set.subnetId
  const quorum = run.asked.body.quorumPercentage ?? 67
  const required =
    run.requiredWeight ??
    (totalWeight === undefined ? undefined : requiredWeight(BigInt(totalWeight), quorum).toString())
  const signed = signers?.length ?? groupsOf(run).find(({ outcome }) => outcome === 'signed')?.signers.length
  const time = run.endedAt === undefined ? undefined : (run.endedAt - run.startedAt) / 1000
  const absent = run.state === 'running' ? undefined : null
  return (
    <Figures
      label="Round"
      figures={[
        {
          label: 'Signed',
          value: totalWeight === undefined ? absent : shareText(signedWeight ?? '0', totalWeight),
          note: signedWeight !== undefined && weightText(signedWeight, subnetId),
        },
        {
          label: 'Needed',
          value: required === undefined ? absent : `${quorum} %`,
          note: required !== undefined && weightText(required, subnetId),
        },
        {
          label: 'Signers',
          value: signed === undefined ? (begun ? '0' : absent) : formatInteger(signed),
          note: begun && `of ${formatInteger(begun.set.signers.length)}`,
        },
        {
          label: 'P-Chain height',
          value: begun ? formatInteger(begun.set.pChainHeight) : absent,
          note: begun && 'of the validator set',
        },
        {
          label: 'Time',
          value: time === undefined ? absent : `${formatNumber(time, 2)} s`,
          note:
            run.state === 'running' && begun ? (
              <>
                ends <TimeAgo at={begun.deadline} />
              </>
            ) : run.isCached ? (
              'from an earlier round'
            ) : undefined,
        },
      ]}
    />
  )
}

/** The service's failure text, unless the details below explain more. */
function FailureText({ run, isTold }: { run: Run; isTold: boolean }) {
  const { failure } = run
  if (!failure) return null
  return (
    <div role="alert" className="flex flex-col gap-1">
      <p className="flex items-center gap-2 font-strong">
        <FailedIcon className="text-bad" />
        {isTold ? 'The quorum was not reached.' : 'There is no signed message.'}
      </p>
      <ul className="pl-6 break-words text-muted">
        {(isTold ? [] : failure.lines.slice(0, 40)).map((line, index) => (
          <li key={index}>{safeText(line, 400)}</li>
        ))}
      </ul>
      <p className="pl-6 font-mono text-mono text-muted">
        {failure.status > 0 && `${failure.status} `}
        {failure.name}
        {failure.requestId !== undefined && ` · request ${failure.requestId}`}
      </p>
    </div>
  )
}

/** The missing weight for higher quorums, after the quorum was reached. */
function BeyondQuorum({ run }: { run: Run }) {
  if (run.totalWeight === undefined || run.signedWeight === undefined || !run.begun) return null
  const total = BigInt(run.totalWeight)
  const signed = BigInt(run.signedWeight)
  if (signed >= total) return <p className="text-muted">Everyone signed.</p>
  const missing = groupsOf(run).filter(({ outcome }) => outcome !== 'signed')
  const keyless = BigInt(run.begun.set.keylessWeight)
  const unasked = missing.find(({ outcome }) => outcome === 'not asked')
  return (
    <p className="text-muted">
      The message holds for any quorum up to {reachedPercentage(signed, total)} %.{' '}
      {shareText(total - signed, total)} of the weight is not in it
      {missing.length > 0 && ': '}
      {missing
        .map(
          ({ outcome, signers }) =>
            `${formatInteger(signers.length)} ${plural(signers.length, 'signer')} ${outcomeWords[outcome]?.word ?? outcome}`,
        )
        .join(', ')}
      {keyless > 0n && `, ${shareText(keyless, total)} without a key`}.
      {unasked && ' A buffer asks more of them.'}
    </p>
  )
}

type Props = {
  run: Run
  onLeave: () => void
  onQuorum: (quorum: number) => void
  onAgain: () => void
}

/** A round while it runs and after it ended: the signed weight, the message, and each signer's outcome. */
export function RunView({ run, onLeave, onQuorum, onAgain }: Props) {
  const shortfall = run.state === 'failed' ? shortfallOf(run) : undefined
  return (
    <Section
      title="Round"
      note={pills[run.state]}
      actions={
        run.state === 'running' && (
          <Button small onClick={onLeave}>
            Cancel
          </Button>
        )
      }
    >
      <div className="flex min-w-0 flex-col gap-5">
        {run.begun && (
          <p>
            {kindOf(run.begun.message)} <span className="text-muted">{contentOf(run.begun.message)}</span>
          </p>
        )}
        <output className="sr-only">
          {run.state === 'running'
            ? 'Signatures are being collected.'
            : run.state === 'done'
              ? 'The message is signed.'
              : ''}
        </output>
        {(run.begun !== undefined || run.totalWeight !== undefined || run.state === 'running') && (
          <RunFigures run={run} />
        )}
        <Bar run={run} />
        <FailureText run={run} isTold={shortfall !== undefined && run.begun !== undefined} />
        {shortfall && <ShortfallView run={run} shortfall={shortfall} onQuorum={onQuorum} onAgain={onAgain} />}
        {run.state === 'left' && (
          <p className="text-muted">You left this round. Nothing was signed for you.</p>
        )}
        {run.signedMessage !== undefined && (
          <>
            <SignedMessage run={run} message={run.signedMessage} />
            <p>
              <span className="font-strong">What to do with it: </span>
              {nextStep(run.begun?.message)}
            </p>
          </>
        )}
        {run.state === 'done' &&
          (run.begun ? (
            <BeyondQuorum run={run} />
          ) : (
            run.signers && (
              <p className="text-muted">
                Signed by {formatInteger(run.signers.length)} {plural(run.signers.length, 'signer')}: the
                places {run.signers.slice(0, 100).join(', ')}
                {run.signers.length > 100 && '…'} of the canonical set. This deployment does not tell who they
                are.
              </p>
            )
          ))}
        <SignerTable run={run} />
      </div>
    </Section>
  )
}
