/** A word of the pages with what it means. */
type GlossaryWord = { readonly word: string; readonly meaning: string }

/** The words below the heading “Words of the pages” of docs/glossary.md, in their order. */
export function wordsOf(markdown: string): GlossaryWord[] {
  const [, part = ''] = markdown.split('\n## Words of the pages\n')
  const rows = (part.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  // The first two rows are the heading and the line below it.
  return rows.slice(2).map((row) => {
    const [word = '', meaning = ''] = row.split('|').slice(1, -1)
    return { word: word.trim(), meaning: meaning.trim() }
  })
}
