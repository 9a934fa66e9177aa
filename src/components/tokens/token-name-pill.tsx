import { Pill } from '../pill.tsx'

type Props = { reputation: string | null | undefined; reasons?: readonly string[] | undefined }

/** The reputation of a token, with the reasons in the title; nothing for a token without one. */
export function ReputationPill({ reputation, reasons = [] }: Props) {
  if (reputation == null) return null
  const why = reasons.join('; ')
  const state = reputation === 'Malicious' ? 'failed' : reputation === 'Benign' ? 'ok' : 'neutral'
  return (
    <>
      <Pill state={state} {...(why !== '' && { title: why })}>
        {reputation}
      </Pill>
      {why !== '' && <span className="sr-only">: {why}</span>}
    </>
  )
}
