import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { formatInteger } from '../../../lib/amounts.ts'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'
import { inSentence } from '../../../lib/text.ts'
import { Button, Form, Input } from '../../../components/controls.tsx'

/** The blocks of a list, in the URL, both inclusive. */
export const blockRangeSchema = z.object({
  fromBlock: wholeNumberInUrl,
  toBlock: wholeNumberInUrl,
})
type BlockRange = z.infer<typeof blockRangeSchema>

/** The range as the interface has it: the end is exclusive there. */
export const blocksOf = ({ fromBlock, toBlock }: BlockRange) => ({
  startBlock: fromBlock,
  endBlock: toBlock === undefined ? undefined : toBlock + 1,
})

function words({ fromBlock: from, toBlock: to }: BlockRange): string | undefined {
  if (from !== undefined && to !== undefined) return `Blocks ${formatInteger(from)} to ${formatInteger(to)}`
  if (from !== undefined) return `From block ${formatInteger(from)} up`
  return to === undefined ? undefined : `Up to block ${formatInteger(to)}`
}

const heightOf = (text: string): number | undefined | null => {
  const digits = text.replaceAll(/[,_\s]/g, '')
  if (digits === '') return undefined
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null
}

type Props = { range: BlockRange; onChange: (range: BlockRange) => void }

/** Narrows a list to blocks; what holds is a chip that can be taken away. */
export function BlockRangeForm({ range, onChange }: Props) {
  const id = useId()
  const [texts, setTexts] = useState({ from: '', to: '' })
  const [wrong, setWrong] = useState(false)
  const from = heightOf(texts.from)
  const to = heightOf(texts.to)
  const submit = (): void => {
    if (from === null || to === null || (from !== undefined && to !== undefined && to < from)) {
      setWrong(true)
      return
    }
    onChange({ fromBlock: from, toBlock: to })
    setTexts({ from: '', to: '' })
  }
  const chip = words(range)
  const field = (name: 'from' | 'to', label: string) => (
    <Input
      aria-label={label}
      className="h-7 w-36"
      inputMode="numeric"
      placeholder={inSentence(label)}
      required={texts.from === '' && texts.to === '' && name === 'from'}
      value={texts[name]}
      aria-invalid={wrong}
      aria-describedby={wrong ? `${id}-wrong` : undefined}
      onChange={(typed) => {
        setTexts((now) => ({ ...now, [name]: typed }))
        setWrong(false)
      }}
    />
  )
  return (
    <>
      <Form className="flex max-w-full items-center gap-2" onSubmit={submit}>
        {field('from', 'From block')}
        {field('to', 'To block')}
        <Button type="submit" small>
          Filter
        </Button>
      </Form>
      {wrong && (
        <span id={`${id}-wrong`} role="alert" className="text-xs text-bad">
          Give heights, the first one not above the second.
        </span>
      )}
      {chip !== undefined && (
        <FilterChip text={chip} onRemove={() => onChange({ fromBlock: undefined, toBlock: undefined })} />
      )}
    </>
  )
}
