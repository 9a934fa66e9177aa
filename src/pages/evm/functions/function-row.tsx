import { useState, type ReactNode } from 'react'
import type { AbiFunction } from '../../../../contract/evm/contract-code.ts'
import { Disclosure } from '../../../components/disclosure.tsx'
import { safeText } from '../../../lib/text.ts'

type Props = {
  fn: AbiFunction
  /** What stands beside the signature while the row is closed, such as the result. */
  beside?: ReactNode
  startsOpen?: boolean
  /** The form of the function, made when the row is opened. */
  children: () => ReactNode
}

/** A function of a contract: its signature, and a form below it once the row is open. */
export function FunctionRow({ fn, beside, startsOpen = false, children }: Props) {
  const [isOpen, setOpen] = useState(startsOpen)
  return (
    <Disclosure
      look="row"
      open={isOpen}
      onOpen={setOpen}
      summary={
        <>
          <span className="font-mono text-mono break-all">{safeText(fn.signature, 300)}</span>
          {fn.isPayable === true && <span className="text-xs text-muted">payable</span>}
          {!isOpen && beside}
        </>
      }
    >
      {isOpen && children()}
    </Disclosure>
  )
}
