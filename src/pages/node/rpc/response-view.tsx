import { useMemo, useState } from 'react'
import type { Exchange } from '../../../api/node/node-client.ts'
import type { Call } from '../../../api/node/node-request.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { JsonTree } from '../../../components/json-tree.tsx'
import { SaveButton } from '../../../components/save-button.tsx'
import { Pill } from '../../../components/pill.tsx'
import { formatInteger, formatNumber } from '../../../lib/amounts.ts'
import { parseLossless } from '../../../../contract/base/json.ts'
import { plural, safeText } from '../../../lib/text.ts'
import { Button } from '../../../components/controls.tsx'
import { isRefused, resultsOf, type CallResult } from './batch-results.ts'

/** Longer answers are not shown as a tree, and their text is cut on the page. */
const longestTree = 4_000_000
const longestText = 100_000

/** The contents of an answer: its JSON if valid, its answers, and the number of errors. */
function read(text: string): { json: unknown; answers: readonly unknown[]; refused: number } | undefined {
  if (text.length > longestTree) return undefined
  try {
    const json = parseLossless(text)
    const answers: readonly unknown[] = Array.isArray(json) ? json : [json]
    return { json, answers, refused: answers.filter(isRefused).length }
  } catch {
    // Some refusals of a node are plain text, which is shown unchanged.
    return undefined
  }
}

/** The size of an answer, in bytes or kB. */
export const sizeText = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} ${plural(bytes, 'byte')}` : `${formatNumber(bytes / 1_000, 1)} kB`

const outcomes = {
  answered: { pill: 'ok', words: 'answered' },
  refused: { pill: 'failed', words: 'refused' },
  silent: { pill: 'ended', words: 'no answer' },
} as const

/** The result of each call of a batch. */
function BatchResults({ results }: { results: readonly CallResult[] }) {
  return (
    <ol aria-label="Results of the batch" className="border-t border-line">
      {results.map(({ method, outcome, reason }, at) => (
        // Equal calls of a batch differ only in their position.
        <li key={at} className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line py-1">
          <span className="text-xs text-muted">{at + 1}</span>
          <span className="min-w-0 font-mono text-mono break-all">{safeText(method, 80)}</span>
          <Pill state={outcomes[outcome].pill}>{outcomes[outcome].words}</Pill>
          {reason !== '' && <span className="min-w-0 text-xs break-words">{safeText(reason, 300)}</span>}
        </li>
      ))}
    </ol>
  )
}

type Props = {
  answer: Exchange
  path: string
  /** The calls of a batch; undefined for a single call. */
  batch: readonly Call[] | undefined
}

/** An answer with status, time and size, as a tree or as text; for a batch, the result of each call. */
export function ResponseView({ answer, path, batch }: Props) {
  const { status, text, bytes, milliseconds } = answer
  const content = useMemo(() => read(text), [text])
  const [isRaw, setRaw] = useState(false)
  const raw = isRaw || !content
  const failed = status !== 200 || (content?.refused ?? 0) > 0
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Pill state={failed ? 'failed' : 'ok'}>
          {status !== 200
            ? `HTTP ${status}`
            : failed
              ? content && content.answers.length > 1
                ? `${content.refused} of ${content.answers.length} refused`
                : 'refused'
              : 'answered'}
        </Pill>
        <output className="text-xs text-muted">
          HTTP {status} · {formatNumber(milliseconds, 1)} ms · {sizeText(bytes)}
          {content && content.answers.length > 1 && ` · ${formatInteger(content.answers.length)} answers`}
        </output>
        <span className="ml-auto flex items-center gap-2">
          {content && (
            <>
              <Button small aria-pressed={!raw} onClick={() => setRaw(false)}>
                Tree
              </Button>
              <Button small aria-pressed={raw} onClick={() => setRaw(true)}>
                Raw
              </Button>
            </>
          )}
          <CopyButton text={text} name="answer" />
          <SaveButton
            file={`answer${path.replace(/[^\w]+/g, '-')}.json`}
            text={text}
            name="Save the answer"
          />
        </span>
      </div>
      {batch && content && Array.isArray(content.json) && (
        <BatchResults results={resultsOf(batch, content.answers)} />
      )}
      {text === '' ? (
        <p className="text-muted">The answer has no body: calls without an ID get none.</p>
      ) : raw ? (
        <>
          <pre
            // A scrolling element must be focusable.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            aria-label="Answer as it came"
            className="max-h-[70vh] overflow-auto rounded-small bg-sunken p-2 font-mono text-mono break-all whitespace-pre-wrap"
          >
            {text.slice(0, longestText)}
          </pre>
          {text.length > longestText && (
            <p className="text-xs text-muted">
              These are its first {formatInteger(longestText)} characters; saving gives all of it.
            </p>
          )}
        </>
      ) : (
        <JsonTree value={content.json} label="Answer" />
      )}
    </div>
  )
}
