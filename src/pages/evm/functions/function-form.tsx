import { useState, type ReactNode } from 'react'
import type { AbiFunction } from '../../../../contract/evm/contract-code.ts'
import { Form } from '../../../components/controls.tsx'
import { nameIn } from '../abi-text.ts'
import { ParameterField } from './parameter-field.tsx'
import { parameterOf, readTyped, typedOf, withPart, type Value } from './parameters.ts'

type Props = {
  fn: AbiFunction
  /** The arguments of a link, which fill the fields. */
  given?: unknown
  /** Called with what was typed once all of it is right. */
  onSubmit: (args: Value[]) => void
  /** Called whenever a field changes. */
  onChange?: () => void
  children: ReactNode
}

/** The form of a function: a field for each argument, then what `children` add. */
export function FunctionForm({ fn, given, onSubmit, onChange, children }: Props) {
  const parameters = fn.inputs.map(parameterOf)
  const [typed, setTyped] = useState(() => typedOf(parameters, given))
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(new Map())
  const submit = (): void => {
    const read = readTyped(parameters, typed)
    setWrong('wrong' in read ? read.wrong : new Map())
    if ('values' in read) onSubmit(read.values)
  }
  return (
    <Form
      aria-label={nameIn(fn.signature)}
      className="flex flex-col items-start gap-3 pb-3 pl-4"
      onSubmit={submit}
    >
      {parameters.map((parameter, index) => (
        <ParameterField
          // A function may have several parameters without a name.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          parameter={parameter}
          fallback={`argument ${index + 1}`}
          typed={typed[index] ?? ''}
          place={String(index)}
          wrong={wrong}
          onChange={(next) => {
            setTyped(withPart(typed, index, next))
            onChange?.()
          }}
        />
      ))}
      {children}
    </Form>
  )
}
