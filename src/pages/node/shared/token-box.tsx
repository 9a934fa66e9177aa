import { useId, useState, type ReactNode } from 'react'
import { localToken, readToken } from '../../../api/local-token.ts'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { keys } from '../../../api/session.ts'
import { Button, Form, Input } from '../../../components/controls.tsx'
import { useStore } from '../../../components/hooks.ts'
import { Section } from '../../../components/section.tsx'
import { SignedInNote, useSignedIn } from '../../sign-in/note.tsx'

type BoxProps = {
  onToken?: (() => void) | undefined
  /** What the token is needed for, as a sentence. */
  lead?: string
}

/** Explains where to find the local token, and accepts it. */
export function TokenBox({ onToken, lead = 'This needs the local token.' }: BoxProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (): void => {
    const token = readToken(text)
    setWrong(token === undefined)
    if (token === undefined) return
    localToken.set(token)
    setText('')
    onToken?.()
  }
  return (
    <Form className="flex max-w-prose flex-col gap-2 text-left" onSubmit={submit}>
      <p>
        {lead} Open the link that <code>npm start</code> prints, or paste the content of{' '}
        <code>~/.ridgeline/token</code> (<code>RIDGELINE_HOME</code>, <code>RIDGELINE_TOKEN</code>
        ).
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <label htmlFor={id} className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
          <span className="text-xs text-muted">Local token</span>
          <Input
            id={id}
            type="password"
            required
            autoComplete="off"
            spellCheck={false}
            value={text}
            aria-invalid={isWrong}
            aria-describedby={`${id}-wrong`}
            onChange={setText}
          />
        </label>
        <Button type="submit" className="text-text">
          Use token
        </Button>
      </div>
      <p id={`${id}-wrong`} role="alert" className="min-h-5 text-xs text-bad">
        {isWrong && 'Invalid token. Paste the whole line of the file, or the link.'}
      </p>
    </Form>
  )
}

type GateProps = {
  target: NodeTarget
  /** Shown once there is a token or a key. */
  children: ReactNode
  /** The heading shown instead, if there is none around it. */
  title?: string
}

/** Requests the token before a call that the gateway would refuse. Other nodes do not use it. */
export function TokenGate({ target, children, title }: GateProps) {
  const token = useStore(localToken)
  const allKeys = useStore(keys)
  const [isSkipped, setSkipped] = useState(false)
  const mayAdministrate = useSignedIn()?.mayAdministrate === true
  const hasKey = target.keyOf !== undefined && allKeys[target.keyOf.place] !== undefined
  if (target.kind !== 'gateway' || token !== '' || hasKey || mayAdministrate || isSkipped) return children
  const content = (
    <div className="flex flex-col items-start gap-2">
      <SignedInNote />
      <TokenBox lead="Administration needs the local token." />
      <p className="flex flex-wrap items-center gap-3 text-xs text-muted">
        With gateway.administration set to “everybody” no token is needed.
        <button type="button" className="control control-small" onClick={() => setSkipped(true)}>
          Continue without token
        </button>
      </p>
    </div>
  )
  return title === undefined ? content : <Section title={title}>{content}</Section>
}

/** Shows that this browser has the local token, and removes it on request. */
export function TokenNote() {
  if (useStore(localToken) === '') return null
  return (
    <p className="flex flex-wrap items-center gap-3 text-xs text-muted">
      This browser keeps the local token, and sends it to this service with calls that need it.
      <button type="button" className="control control-small" onClick={() => localToken.set('')}>
        Remove token
      </button>
    </p>
  )
}
