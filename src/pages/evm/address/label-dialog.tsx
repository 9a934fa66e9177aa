import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { labelBounds, type AddressLabel } from '../../../../contract/evm/labels.ts'
import { giveLabel, labelQuery } from '../../../api/evm/labels.ts'
import { Button, Form, Input } from '../../../components/controls.tsx'
import { DialogPopup } from '../../../components/overlays/popups.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { safeText } from '../../../lib/text.ts'
import { TokenBox } from '../../node/shared/token-box.tsx'
import { Failed } from '../../shared/failed.tsx'
import { SignedInNote, useSignedIn } from '../../sign-in/note.tsx'
import { Field, FormEnd } from '../../watch/shared/acts.tsx'
import type { Subject } from './activity.tsx'
import { abiIn } from './abi-in.ts'

type Body = Parameters<typeof giveLabel>[2]

type Props = Subject & {
  /** A name to begin with. */
  name?: string | undefined
  onClose: () => void
}

/** The fields of a label, with what it has now. */
function Fields({
  chain: { chainId },
  address,
  name: typed,
  label,
  onClose,
}: Props & { label: AddressLabel | undefined }) {
  const [name, setName] = useState(typed ?? label?.name ?? '')
  const [text, setText] = useState(label?.abi ? JSON.stringify(label.abi, null, 2) : '')
  const save = useRequest<void, Body>((body, signal) => giveLabel(chainId, address, body, signal))
  const read = text.trim() === '' ? undefined : abiIn(text)
  const [tried, setTried] = useState(false)
  const wrong = tried && typeof read === 'string' ? read : undefined
  return (
    <Form
      aria-label="Label"
      className="flex flex-col gap-4"
      onSubmit={() => {
        setTried(true)
        if (typeof read === 'string') return
        const body = { ...(name.trim() !== '' && { name: name.trim() }), ...(read && { abi: read }) }
        save.mutate(body, { onSuccess: onClose })
      }}
    >
      <Field label="Name" note="Shown beside the address in lists, with the word “label”">
        <Input value={name} maxLength={labelBounds.name} placeholder="Treasury" onChange={setName} />
      </Field>
      <Field
        label="ABI"
        note="JSON of a compiler, or a file with the key “abi”. It decodes calls, events and errors, unless the source is verified."
      >
        <textarea
          className="field h-40 resize-y py-1.5 font-mono text-mono"
          spellCheck={false}
          aria-invalid={wrong !== undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {wrong !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {wrong}
        </p>
      )}
      {label && (
        <p className="text-xs text-muted">
          Now by {safeText(label.givenBy, 80)}, <TimeAgo at={label.givenTimestamp} />. Empty fields take it
          back.
        </p>
      )}
      <FormEnd label="Save for everybody here" request={save} onClose={onClose} />
    </Form>
  )
}

/** What an address is called and can do, said for everybody who uses this service, by those who may. */
export function LabelDialog({ onClose, name, ...subject }: Props) {
  const query = useQuery(labelQuery(subject.chain.chainId, subject.address))
  const isSignedIn = useSignedIn() !== undefined
  return (
    <DialogPopup open onClose={onClose} title="Label for everybody here">
      {query.data?.mayChange === true ? (
        <Fields {...subject} name={name} label={query.data.label} onClose={onClose} />
      ) : query.data ? (
        <div className="flex flex-col gap-3">
          {isSignedIn ? (
            <>
              <p>Labels for everybody need a role with the privilege “verify”.</p>
              <SignedInNote />
            </>
          ) : (
            <TokenBox
              lead="Labels for everybody need the local token, or an API key with the privilege “verify”."
              onToken={() => void query.refetch()}
            />
          )}
          <Button onClick={onClose}>Close</Button>
        </div>
      ) : query.error ? (
        <Failed title="The label could not be loaded." query={query} />
      ) : (
        <SkeletonRows count={5} />
      )}
    </DialogPopup>
  )
}
