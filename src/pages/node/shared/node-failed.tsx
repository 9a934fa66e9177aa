import { isAbsent, NodeError } from '../../../api/node/node-client.ts'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { FailedState, UnsupportedState } from '../../../components/states.tsx'
import { Failed, type Failure } from '../../shared/failed.tsx'
import { SignedInNote } from '../../sign-in/note.tsx'
import { TokenBox } from './token-box.tsx'

const names: Readonly<Record<NodeError['kind'], string>> = {
  blocked: 'Not allowed to ask',
  network: 'Not reached',
  deadline: 'Too slow',
  status: 'Refused',
  answer: 'Unreadable answer',
  refused: 'Refused by the node',
}

/** Why a node gave no result, as one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof NodeError)) return error instanceof Error ? error.message : String(error)
  const code = error.code === undefined ? '' : ` (${error.code})`
  const status = error.status === 0 || error.status === 200 ? '' : ` (HTTP ${error.status})`
  return `${error.message}${code}${status}`
}

/** Whether administration is disabled, or hidden from this caller. */
export const isAdminClosed = (error: unknown): boolean =>
  isAbsent(error) || (error instanceof NodeError && [401, 403, 405].includes(error.status))

/** The kind of administration and its node. */
type Administration = { of: 'node' | 'chain'; target: NodeTarget }

type ShutProps = Administration & { error: NodeError; onRetry: (() => unknown) | undefined }

/** Explains why administration is not available, and who can enable it. */
function Shut({ error, of, target, onRetry }: ShutProps) {
  if (target.kind === 'gateway' && error.status === 401)
    return (
      <UnsupportedState title="Administration needs the local token">
        <SignedInNote />
        <TokenBox lead="" onToken={onRetry && (() => void onRetry())} />
        <p className="font-mono text-mono break-words">{reasonOf(error)}</p>
      </UnsupportedState>
    )
  return (
    <UnsupportedState
      title={
        of === 'node' ? 'Administration is not open here' : 'This chain’s administration is not open here'
      }
    >
      <p>
        {of === 'node'
          ? 'A node has it only when it runs with --api-admin-enabled=true, and only at its own address: a public server never has it.'
          : 'A node has it only where the configuration of the chain says "admin-api-enabled": true, and only at its own address.'}
      </p>
      <p>
        The gateway of a Ridgeline service passes it on to its operator: on its own machine with the local
        token, or with a key that has the privilege administration, unless gateway.administration says
        otherwise.
      </p>
      <SignedInNote />
      <p className="font-mono text-mono break-words">{reasonOf(error)}</p>
    </UnsupportedState>
  )
}

type Props = Failure & {
  /** What failed: “The peers could not be read.” */
  title: string
  /** Set for administrative calls: disabled administration is explained instead of shown as a failure. */
  administration?: Administration | undefined
  /** The text if the node lacks the method. */
  absent?: string | undefined
}

/** A failed call of a node, with status or code, and a button to try again. */
export function NodeFailed(props: Props) {
  const { title, query, error = query?.error, onRetry = query?.refetch, administration, absent } = props
  if (!(error instanceof NodeError)) return <Failed title={title} error={error} onRetry={onRetry} />
  if (administration && isAdminClosed(error))
    return <Shut error={error} onRetry={onRetry} {...administration} />
  if (absent !== undefined && isAbsent(error))
    return (
      <UnsupportedState title="This node does not have it">
        <p>{absent}</p>
        <p className="font-mono text-mono break-words">{reasonOf(error)}</p>
      </UnsupportedState>
    )
  if (error.kind === 'blocked')
    return (
      <UnsupportedState title={title}>
        <p className="break-words">{error.message}</p>
      </UnsupportedState>
    )
  return (
    <FailedState
      title={title}
      status={error.status === 200 ? undefined : error.status}
      name={error.code === undefined ? names[error.kind] : `${names[error.kind]} · code ${error.code}`}
      message={error.message}
      onRetry={onRetry && (() => void onRetry())}
    />
  )
}
