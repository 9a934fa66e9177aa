import { CopyButton } from '../../components/copy-button.tsx'
import { JsonTree } from '../../components/json-tree.tsx'
import { Pill } from '../../components/pill.tsx'
import { SaveButton } from '../../components/save-button.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { formatInteger, formatNumber } from '../../lib/amounts.ts'
import { useState } from 'react'
import type { Answer } from './send.ts'

/** More text than this makes a page slow; the whole of it is in the file. */
const maxShown = 200_000

/** A text that scrolls in its box. */
export function CodeBox({ text, label }: { text: string; label: string }) {
  return (
    // A box that scrolls must be reachable by the keyboard.
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={label}
      className="max-h-[60vh] overflow-auto rounded-base border border-line bg-sunken p-3 font-mono text-mono break-all whitespace-pre-wrap"
    >
      {text}
    </pre>
  )
}

function Body({ answer }: { answer: Answer }) {
  const [view, setView] = useState<'tree' | 'text'>('tree')
  const { json, text } = answer
  if (text === '') return <p className="text-muted">The answer has no body.</p>
  const plain = (
    <>
      <CodeBox label="Text of the answer" text={text.slice(0, maxShown)} />
      {text.length > maxShown && (
        <p className="pt-2 text-xs text-muted">
          The first {formatInteger(maxShown)} of {formatInteger(text.length)} characters; the file has all.
        </p>
      )}
    </>
  )
  if (!json) return plain
  return (
    <Tabs
      label="Views of the answer"
      current={view}
      onChange={setView}
      tabs={[
        { id: 'tree', label: 'Tree' },
        { id: 'text', label: 'Text' },
      ]}
    >
      {view === 'tree' ? <JsonTree label="Answer" value={json.value} /> : plain}
    </Tabs>
  )
}

/** An answer with its status, size, time and headers. */
export function AnswerView({ answer, name }: { answer: Answer; name: string }) {
  const { status, bytes, milliseconds, headers, text } = answer
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Pill state={status < 300 ? 'ok' : status < 500 ? 'stale' : 'failed'}>{`Status ${status}`}</Pill>
        <span className="text-muted">{formatInteger(bytes)} bytes</span>
        <span className="text-muted">{formatNumber(milliseconds, 0)} ms</span>
        {text !== '' && (
          <span className="flex items-center gap-1">
            <CopyButton text={text} name="answer" />
            <SaveButton file={`${name}.json`} text={text} label="Save" />
          </span>
        )}
      </div>
      {headers.length > 0 && (
        <dl aria-label="Headers" className="flex flex-wrap gap-x-5 gap-y-1 text-xs">
          {headers.map(([header, value]) => (
            <div key={header} className="flex min-w-0 gap-1.5">
              <dt className="text-muted">{header}</dt>
              <dd className="min-w-0 font-mono break-all">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Body key={text} answer={answer} />
    </div>
  )
}
