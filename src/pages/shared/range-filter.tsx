import { useId, useState } from 'react'
import type { Heights } from '../../api/evm/addresses-activity.ts'
import { FilterChip } from '../../components/table/filter-chip.tsx'
import { useRequest } from '../../components/use-request.ts'
import { resolveBlock, type Edge } from './moment-field.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { Button, Form, Input } from '../../components/controls.tsx'

type Props = { chainId: string; heights: Heights; onChange: (heights: Heights) => void }

const hint = 'A height such as 1200, or a date such as 2025-11-03'

/** Filters a list by a range of blocks, given by heights or dates; each applied end is a chip. */
export function RangeFilter({ chainId, heights, onChange }: Props) {
  const id = useId()
  const [texts, setTexts] = useState({ from: '', to: '' })
  const resolve = async (text: string, edge: Edge, now: number | undefined, signal: AbortSignal) => {
    if (text.trim() === '') return now
    const found = await resolveBlock(chainId, text, edge, signal)
    if (found === 'none') throw new Error('No indexed block is as old as that.')
    if (found === 'unreadable') throw new Error('Give heights or dates like 2025-11-03 or 3 Nov 2025.')
    return found.height
  }
  const search = useRequest(async (_: void, signal): Promise<Heights> => {
    const from = await resolve(texts.from, 'first', heights.from, signal)
    const to = await resolve(texts.to, 'last', heights.to, signal)
    if (from !== undefined && to !== undefined && from > to)
      throw new Error(`Block ${formatInteger(from)} comes after block ${formatInteger(to)}.`)
    return { from, to }
  })
  const submit = (): void =>
    search.mutate(undefined, {
      onSuccess: (found) => {
        setTexts({ from: '', to: '' })
        onChange(found)
      },
    })
  const wrong = search.error?.message
  const field = (name: 'from' | 'to', label: string, placeholder: string) => (
    <Input
      className="h-7"
      style={{ width: 112 }}
      aria-label={label}
      placeholder={placeholder}
      title={hint}
      required={texts.from === '' && texts.to === '' && name === 'from'}
      value={texts[name]}
      aria-invalid={wrong !== undefined}
      aria-describedby={wrong === undefined ? undefined : `${id}-wrong`}
      onChange={(typed) => {
        setTexts({ ...texts, [name]: typed })
        search.reset()
      }}
    />
  )
  const { from, to } = heights
  return (
    <>
      <Form className="flex max-w-full items-center gap-2" onSubmit={submit}>
        <span className="text-muted max-md:sr-only">Blocks</span>
        {field('from', 'First block or date', 'from')}
        {field('to', 'Last block or date', 'to')}
        <Button type="submit" small disabled={search.isPending}>
          Filter
        </Button>
      </Form>
      {wrong !== undefined && (
        <span id={`${id}-wrong`} role="alert" className="text-xs text-bad">
          {wrong}
        </span>
      )}
      {from !== undefined && (
        <FilterChip
          text={`From block ${formatInteger(from)}`}
          onRemove={() => onChange({ from: undefined, to })}
        />
      )}
      {to !== undefined && (
        <FilterChip
          text={`To block ${formatInteger(to)}`}
          onRemove={() => onChange({ from, to: undefined })}
        />
      )}
    </>
  )
}
