import type { AbiFunction } from '../../../../contract/evm/contract-code.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { lazy } from '../../../components/lazy.ts'
import { LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { FunctionRow } from './function-row.tsx'

const Writer = lazy(() => import('./writer.tsx'), 'Writer')

type Contract = { address: string; chain: ChainFacts }

/** The functions of a contract that change something, each with a form, whose code loads when it is opened. */
export function WriteFunctions({ functions, ...contract }: Contract & { functions: readonly AbiFunction[] }) {
  if (functions.length === 0)
    return <p className="text-muted">The ABI has no function that changes anything.</p>
  return (
    <div className="border-t border-line">
      {functions.map((fn) => (
        <FunctionRow key={fn.signature} fn={fn}>
          {() => (
            <LazyPart title="The form" fallback={<SkeletonRows count={3} />}>
              <Writer fn={fn} {...contract} />
            </LazyPart>
          )}
        </FunctionRow>
      ))}
    </div>
  )
}
