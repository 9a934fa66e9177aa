import { useState } from 'react'
import { useChainFacts, useCurrentChain, useCurrentNetwork } from '../../../api/current.ts'
import { addWatchLines, readWatchLines, type Unread } from '../../../lib/storage/watch-lines.ts'
import { most } from '../../../lib/storage/watch-lists.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { plural, safeText } from '../../../lib/text.ts'
import { useNetworkLabel } from '../../shared/network-crumb.tsx'

/** The most lines whose reason is shown; the others stay in the box all the same. */
const shownLines = 20

type Outcome = { readonly words: string; readonly unread: readonly Unread[] }

const counted = (count: number, word: string, many?: string): string =>
  `${formatInteger(count)} ${plural(count, word, many)}`

function Report({ words, unread }: Outcome) {
  const rest = unread.length - shownLines
  return (
    <>
      <p>{words}</p>
      {unread.length > 0 && (
        <ul className="text-xs text-muted">
          {unread.slice(0, shownLines).map(({ line, part }) => (
            <li key={line} className="break-all">
              Line {formatInteger(line)} of the pasted text was not understood: {safeText(part)}
            </li>
          ))}
          {rest > 0 && <li>and {counted(rest, 'more line')}</li>}
        </ul>
      )}
    </>
  )
}

/** A box to paste addresses and validators into, one or more a line. Lines that are not understood stay in it. */
export function PasteBox() {
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const network = useCurrentNetwork()
  const { chainId } = useCurrentChain()
  const chain = useChainFacts(chainId ?? '').name
  const networkLabel = useNetworkLabel(network)
  const add = () => {
    const lines = readWatchLines(text, { chainId, network })
    const added = addWatchLines(lines)
    if (added === 'full') {
      setOutcome({
        words: `A list holds at most ${counted(most, 'entry', 'entries')}. Nothing was added.`,
        unread: [],
      })
      return
    }
    setText(lines.unread.map((line) => line.text).join('\n'))
    setOutcome({
      words: `${counted(added.addresses, 'address', 'addresses')} and ${counted(added.validators, 'validator')} added.`,
      unread: lines.unread,
    })
  }
  return (
    <form
      className="flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <textarea
        className="field min-h-24 w-full py-1 font-mono text-mono"
        aria-label="Addresses and validators to watch"
        placeholder={'0x…\nP-avax1…\nNodeID-…'}
        spellCheck={false}
        rows={4}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="text-xs text-muted">
        One or more a line.
        {chainId !== undefined && ` An address 0x… is watched on ${chain}.`} Validators are watched on{' '}
        {networkLabel}.
      </p>
      <button type="submit" className="control" disabled={text.trim() === ''}>
        Watch
      </button>
      <output>{outcome && <Report {...outcome} />}</output>
    </form>
  )
}
