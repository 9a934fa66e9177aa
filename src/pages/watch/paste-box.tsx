import { useState } from 'react'
import { useChainFacts, useCurrentChain, useCurrentNetwork } from '../../api/current.ts'
import { addWatched, readWatchLines, type Unread } from '../../lib/storage/watch-lines.ts'
import { maxWatched } from '../../lib/storage/watch-list.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { plural, safeText } from '../../lib/text.ts'
import { useNetworkLabel } from '../shared/network-crumb.tsx'
import { Button, Form } from '../../components/controls.tsx'
import { countedWatched } from './counted-watched.ts'

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
        <ul className="text-xs text-bad">
          {unread.slice(0, shownLines).map(({ line, part, checksum }) => (
            <li key={line} className="wrap-anywhere">
              {checksum
                ? `Line ${formatInteger(line)} of the pasted text: the checksum does not match: `
                : `Line ${formatInteger(line)} of the pasted text was not understood: `}
              {safeText(part)}
            </li>
          ))}
          {rest > 0 && <li>and {counted(rest, 'more line')}</li>}
        </ul>
      )}
    </>
  )
}

/** A box to paste addresses, validators and links into, one or more a line. Lines that are not understood stay in it. */
export function PasteBox() {
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const network = useCurrentNetwork()
  const { chainId } = useCurrentChain()
  const chain = useChainFacts(chainId ?? '').name
  const networkLabel = useNetworkLabel(network)
  const add = async () => {
    if (text.trim() === '') {
      setOutcome({ words: 'Paste an address, a validator or a link first.', unread: [] })
      return
    }
    // Hashes and alphabets, which a visit without pasting does not need. Without them the service judges the ids.
    const hasChecksum = await import('./checksums.ts').then(
      (part) => part.hasChecksum,
      () => () => true,
    )
    const lines = readWatchLines(text, { chainId, network }, hasChecksum)
    const added = addWatched(lines.entries)
    if (added === 'full') {
      setOutcome({
        words: `The watch list holds at most ${counted(maxWatched, 'entry', 'entries')}. Nothing was added.`,
        unread: [],
      })
      return
    }
    setText(lines.unread.map((line) => line.text).join('\n'))
    setOutcome({
      words: added.length === 0 ? 'Nothing new to watch.' : `Added ${countedWatched(added)}.`,
      unread: lines.unread,
    })
  }
  return (
    <Form className="flex max-w-[80ch] flex-col items-start gap-2" onSubmit={() => void add()}>
      <textarea
        className="field min-h-24 w-full py-1 font-mono text-mono"
        aria-label="Addresses, validators and links to watch"
        placeholder={'0x…\nP-avax1…\nNodeID-…\nhttps://…/token/0x…'}
        spellCheck={false}
        rows={4}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="text-xs text-muted">
        One or more a line; links to pages of tokens and L1 validators are read too.
        {chainId !== undefined && ` An address 0x… is watched on ${chain}.`} Validators are watched on{' '}
        {networkLabel}.
      </p>
      <Button type="submit">Watch</Button>
      <output>{outcome && <Report {...outcome} />}</output>
    </Form>
  )
}
