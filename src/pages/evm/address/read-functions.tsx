import { useId, useState } from 'react'
import type { ResponseOf } from '../../../../contract/base/operation.ts'
import type { getContractCode, readContract } from '../../../../contract/evm/contracts.ts'
import { callContract } from '../../../api/evm/addresses-contract.ts'
import { ApiError } from '../../../api/errors.ts'
import { Address } from '../../../components/address.tsx'
import { Button, Form, Input } from '../../../components/controls.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import type { Subject } from './activity.tsx'
import { hintOf, readArgument } from './arguments.ts'

type Readable = NonNullable<ResponseOf<typeof getContractCode>['functions']>[number]
type Answer = ResponseOf<typeof readContract>
type Output = Answer['outputs'][number]

function Value({ output, chainId }: { output: Output; chainId: string }) {
  const { type, value } = output
  if (typeof value !== 'string')
    return <span className="font-mono text-mono break-all">{JSON.stringify(value)}</span>
  if (type === 'address' && /^0x[0-9a-fA-F]{40}$/.test(value))
    return <Address address={value} chainId={chainId} full copy />
  const text = /^u?int\d*$/.test(type)
    ? formatInteger(value)
    : type === 'string'
      ? safeText(value, 4000)
      : value
  return <span className="font-mono text-mono break-all whitespace-pre-wrap">{text}</span>
}

const messageOf = (error: Error): string =>
  error instanceof ApiError && error.status !== 0
    ? `${error.status} ${error.name}: ${error.message}`
    : error.message

const nameOf = (signature: string): string => signature.slice(0, signature.indexOf('('))

function Reader({ fn, address, chain }: Subject & { fn: Readable }) {
  const id = useId()
  const [texts, setTexts] = useState<readonly string[]>(() => fn.inputs.map(() => ''))
  const [wrong, setWrong] = useState<ReadonlyMap<number, string>>(new Map())
  const call = useRequest((args: (string | unknown[])[], signal) =>
    callContract(chain.chainId, address, { signature: fn.signature, args }, signal),
  )

  const submit = (): void => {
    const args: (string | unknown[])[] = []
    const errors = new Map<number, string>()
    for (const [index, input] of fn.inputs.entries()) {
      const read = readArgument(texts[index] ?? '', input.type)
      if ('wrong' in read) errors.set(index, read.wrong)
      else args.push(read.value)
    }
    setWrong(errors)
    if (errors.size === 0) call.mutate(args)
  }
  return (
    <details className="border-b border-line">
      <summary className="py-2 font-mono text-mono break-all">{safeText(fn.signature, 300)}</summary>
      <Form
        aria-label={nameOf(fn.signature)}
        className="flex flex-col items-start gap-3 pb-3 pl-4"
        onSubmit={submit}
      >
        {fn.inputs.map((input, index) => {
          const error = wrong.get(index)
          return (
            <label key={index} className="flex w-full max-w-[64ch] flex-col gap-1">
              <span className="text-muted">
                {safeText(input.name, 40) || `argument ${index + 1}`}{' '}
                <span className="font-mono text-xs">{input.type}</span>
              </span>
              <Input
                mono
                placeholder={hintOf(input.type)}
                autoComplete="off"
                value={texts[index] ?? ''}
                aria-invalid={error !== undefined}
                aria-describedby={error === undefined ? undefined : `${id}-${index}`}
                onChange={(typed) => setTexts(texts.map((text, at) => (at === index ? typed : text)))}
              />
              {error !== undefined && (
                <span id={`${id}-${index}`} role="alert" className="text-xs text-bad">
                  {error}
                </span>
              )}
            </label>
          )
        })}
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
            {call.data.outputs.length === 0 && <span className="text-muted">It returns nothing.</span>}
            {call.data.outputs.map((output, index) => (
              <span key={index} className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                <span className="text-muted">
                  {safeText(output.name, 40)} <span className="font-mono text-xs">{output.type}</span>
                </span>
                <Value output={output} chainId={chain.chainId} />
              </span>
            ))}
            <span className="text-xs text-muted">after block {formatInteger(call.data.blockNumber)}</span>
          </output>
        )}
      </Form>
    </details>
  )
}

/** The view functions of a contract, each with its inputs and its latest result. */
export function ReadFunctions({ functions, ...subject }: Subject & { functions: readonly Readable[] }) {
  if (functions.length === 0) return <p className="text-muted">The ABI has no function that only reads.</p>
  return (
    <div className="border-t border-line">
      {functions.map((fn) => (
        <Reader key={fn.signature} fn={fn} {...subject} />
      ))}
    </div>
  )
}
