import { useEffect, useState } from 'react'
import { CheckIcon, CopyIcon, FailedIcon } from './icons.ts'

/** Copies a text and says so for a moment. `name` is what the text is, such as “hash”. */
export function CopyButton({ text, name, size = 14 }: { text: string; name: string; size?: number }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 1600)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (): void => {
    // Where the page is not served securely there is no clipboard at all.
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
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-small text-muted hover:bg-hover hover:text-text"
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
