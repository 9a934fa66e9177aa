import markdown from '../../../docs/glossary.md?raw'
import { DialogPopup } from '../overlays/popups.tsx'
import { wordsOf } from './words.ts'

/** What a word means, and the other words of the pages below it. */
export function Glossary({ word, onClose }: { word: string; onClose: () => void }) {
  const words = wordsOf(markdown)
  const isThis = (one: string): boolean => one === word
  return (
    <DialogPopup open onClose={onClose} title="Glossary">
      <dl className="flex flex-col gap-3">
        {words
          .toSorted((left, right) => Number(isThis(right.word)) - Number(isThis(left.word)))
          .map((one) => (
            <div key={one.word} className={isThis(one.word) ? 'border-b border-line pb-3' : 'text-muted'}>
              <dt className="font-strong text-text first-letter:uppercase">{one.word}</dt>
              <dd>{one.meaning}</dd>
            </div>
          ))}
      </dl>
    </DialogPopup>
  )
}
