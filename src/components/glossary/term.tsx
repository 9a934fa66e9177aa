import { useState } from 'react'
import { Button } from '../controls.tsx'
import { lazy } from '../lazy.ts'
import { LazyPart } from '../part.tsx'

const Glossary = lazy(() => import('./glossary.tsx'), 'Glossary')
const { prefetch } = Glossary

/** A button beside a label that a newcomer cannot know: it opens the glossary at `word` (docs/glossary.md). */
export function Term({ word }: { word: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        small
        className="rounded-full border-transparent px-2 text-muted"
        aria-label={`What “${word}” means`}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => setOpen(true)}
      >
        ?
      </Button>
      {open && (
        <LazyPart title="The glossary" floats>
          <Glossary word={word} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  )
}
