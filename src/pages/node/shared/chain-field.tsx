import { useState } from 'react'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { shorten } from '../../../lib/text.ts'
import { Button, Form, Select, Input } from '../../../components/controls.tsx'
import { chainOption, useChainOptions } from './use-targets.ts'
import { Labelled } from './act.tsx'

type Props = { target: NodeTarget; chain: string; onChain: (chain: string) => void }

/** Selects a chain of the node: a known one, or any other by alias or id. */
export function ChainField({ target, chain, onChain }: Props) {
  const options = useChainOptions(target)
  const [text, setText] = useState('')
  const current = chainOption(options, chain)
  const listed = options.includes(current) ? options : [...options, current]
  return (
    <div className="flex flex-wrap items-end gap-3 pb-4">
      <Labelled label="Chain">
        <Select
          value={current.id}
          className="max-w-[min(280px,80vw)]"
          options={listed.map(({ id, name }) => ({
            id,
            label: name === id ? shorten(id) : id === 'C' ? name : `${name} · ${shorten(id, 6, 4)}`,
          }))}
          onChange={onChain}
        />
      </Labelled>
      <Form
        className="flex items-end gap-2"
        onSubmit={() => {
          onChain(text.trim())
          setText('')
        }}
      >
        <Labelled label="Another chain">
          <Input
            mono
            required
            className="w-40"
            placeholder="alias or ID"
            maxLength={128}
            value={text}
            onChange={setText}
          />
        </Labelled>
        <Button type="submit">Use</Button>
      </Form>
    </div>
  )
}
