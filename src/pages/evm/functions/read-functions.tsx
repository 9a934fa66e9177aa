import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { AbiFunction } from '../../../../contract/evm/contract-code.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { callContract, contractViewsQuery } from '../../../api/evm/contract-code.ts'
import { Button, Form, Input } from '../../../components/controls.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import { FunctionRow } from './function-row.tsx'
import { FunctionForm } from './function-form.tsx'
import { messageOf } from './message-of.ts'
import { Outputs, outputText, type Output } from './output-value.tsx'
import type { Value } from './parameters.ts'
import * as z from 'zod/mini'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'

type Contract = { address: string; chain: ChainFacts }
type View = { outputs?: Output[] | undefined; error?: string | undefined }

function Reader({ fn, view, address, chain }: Contract & { fn: AbiFunction; view: View | undefined }) {
  const [{ call: named, args, block }, setSearch] = useSearchState(callSchema)
  const isNamed = named === fn.signature
  const call = useRequest((values: Value[], signal) =>
    callContract(
      chain.chainId,
      address,
      {
        signature: fn.signature,
        args: values,
        ...(block !== undefined && { blockNumber: String(block) }),
      },
      signal,
    ),
  )
  const given = isNamed ? argumentsOf(args) : undefined
  const { mutate } = call
  // A link that carries a call makes it.
  useEffect(() => {
    if (isNamed) mutate(Array.isArray(given) ? (given as Value[]) : [])
    // Only when the page opens: later calls are those of the form.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <FunctionRow
      fn={fn}
      startsOpen={isNamed}
      beside={
        view && (
          <span
            className={`min-w-0 truncate ${view.error === undefined ? 'font-mono text-mono' : 'text-muted'}`}
          >
            {view.outputs?.map(outputText).join(', ') ?? safeText(view.error ?? '', 120)}
          </span>
        )
      }
    >
      {() => (
        <FunctionForm
          fn={fn}
          given={given}
          onSubmit={(values) => {
            setSearch({ call: fn.signature, args: values.length > 0 ? JSON.stringify(values) : undefined })
            call.mutate(values)
          }}
        >
          <Button type="submit" small disabled={call.isPending}>
            {call.isPending ? 'Asking' : 'Read'}
          </Button>
          {call.error && (
            <p role="alert" className="break-words text-bad">
              {messageOf(call.error)}
            </p>
          )}
          {call.data && (
            <output className="flex w-full min-w-0 flex-col gap-1">
              <Outputs outputs={call.data.outputs} chainId={chain.chainId} />
              <span className="text-xs text-muted">after block {formatInteger(call.data.blockNumber)}</span>
            </output>
          )}
        </FunctionForm>
      )}
    </FunctionRow>
  )
}

/** The field of the block after which functions are read: the newest if it is empty. */
function AtBlock() {
  const [{ block }, setSearch] = useSearchState(callSchema)
  const [typed, setTyped] = useState(block === undefined ? '' : String(block))
  const id = useId()
  // While somebody types, each digit would be a block of its own.
  const apply = (): void => {
    const digits = typed.replaceAll(/[,_\s]/g, '')
    if (/^\d{0,15}$/.test(digits)) setSearch({ block: digits === '' ? undefined : Number(digits) })
    else setTyped(block === undefined ? '' : String(block))
  }
  return (
    <Form aria-label="Block" onSubmit={apply}>
      <label htmlFor={id} className="flex items-center gap-2 text-muted">
        After block
        <Input
          id={id}
          mono
          className="w-32"
          inputMode="numeric"
          autoComplete="off"
          placeholder="newest"
          value={typed}
          onChange={setTyped}
          onBlur={apply}
        />
      </label>
    </Form>
  )
}

/** The view functions of a contract: those without arguments with their results, the others each with a form. */
export function ReadFunctions({ functions, ...contract }: Contract & { functions: readonly AbiFunction[] }) {
  const [{ block }] = useSearchState(callSchema)
  const views = useQuery({
    ...contractViewsQuery(contract.chain.chainId, contract.address, functions, block),
    enabled: functions.some(({ inputs }) => inputs.length === 0),
  })
  const known = new Map(views.data?.views?.map((view) => [view.signature, view]))
  if (functions.length === 0) return <p className="text-muted">The ABI has no function that only reads.</p>
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <AtBlock />
        <span className="text-xs text-muted">
          {views.error
            ? messageOf(views.error)
            : views.data && `results after block ${formatInteger(views.data.blockNumber)}`}
        </span>
      </div>
      <div className="border-t border-line">
        {functions.map((fn) => (
          <Reader key={fn.signature} fn={fn} view={known.get(fn.signature)} {...contract} />
        ))}
      </div>
    </div>
  )
}

/** A call in the URL: the function's signature, its arguments as JSON, and the block after which it is made. */
const callSchema = z.object({
  call: z.catch(z.optional(z.string()), undefined),
  args: z.catch(z.optional(z.string()), undefined),
  block: wholeNumberInUrl,
})

/** The arguments of a call in the URL; undefined if they are no JSON. */
function argumentsOf(args: string | undefined): unknown {
  try {
    return args === undefined ? undefined : JSON.parse(args)
  } catch {
    return undefined
  }
}
