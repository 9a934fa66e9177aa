import { useEffect, useState } from 'react'
import { CheckIcon, CopyIcon, FailedIcon } from './icons.ts'

/** Copies text and confirms it for a moment. `name` says what the text is, for example “hash”. */
export function CopyButton({ text, name, size = 14 }: { text: string; name: string; size?: number }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 1600)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (): void => {
    // Without a secure context there is no clipboard.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  const label = { idle: `Copy ${name}`, copied: 'Copied', failed: 'Copying was refused' }[state]
  return (
    <button
      type="button"
      onClick={copy}
      title={label}
      aria-label={label}
      className="reach inline-flex size-6 shrink-0 items-center justify-center rounded-small text-muted hover:bg-hover hover:text-text"
    >
      {state === 'copied' ? (
        <CheckIcon size={size} className="text-ok" />
      ) : state === 'failed' ? (
        <FailedIcon size={size} className="text-bad" />
      ) : (
        <CopyIcon size={size} />
      )}
      <output className="sr-only">{state === 'idle' ? '' : label}</output>
    </button>
  )
}
