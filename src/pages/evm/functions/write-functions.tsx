import { useState } from 'react'
import type { AbiFunction } from '../../../../contract/evm/contract-code.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { lazy } from '../../../components/lazy.ts'
import { LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { safeText } from '../../../lib/text.ts'

const Writer = lazy(() => import('./writer.tsx'), 'Writer')

type Contract = { address: string; chain: ChainFacts }

function Row({ fn, ...contract }: Contract & { fn: AbiFunction }) {
  const [open, setOpen] = useState(false)
  return (
    <details
      className="border-b border-line"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="py-2 font-mono text-mono break-all">
        {safeText(fn.signature, 300)}
        {fn.isPayable === true && <span className="ml-2 text-xs text-muted">payable</span>}
      </summary>
      {open && (
        <LazyPart title="The form" fallback={<SkeletonRows count={3} />}>
          <Writer fn={fn} {...contract} />
        </LazyPart>
      )}
    </details>
  )
}

/** The functions of a contract that change something, each with a form, whose code loads when it is opened. */
export function WriteFunctions({ functions, ...contract }: Contract & { functions: readonly AbiFunction[] }) {
  if (functions.length === 0)
    return <p className="text-muted">The ABI has no function that changes anything.</p>
  return (
    <div className="border-t border-line">
      {functions.map((fn) => (
        <Row key={fn.signature} fn={fn} {...contract} />
      ))}
    </div>
  )
}
