import { StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { Decoration, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useLayoutEffect, useRef } from 'react'
import { colours, look } from '../../../components/code-look.ts'
import { solidity } from './solidity.ts'

type Props = {
  path: string
  content: string
  /** The line that a link leads to. */
  line: number | undefined
  /** Called with the number of a line that was chosen. */
  onLine: (line: number) => void
}

const chosen = Decoration.line({ class: 'cm-chosen' })

/**
 * A source file with colours, line numbers and a search (Ctrl or ⌘ with F). Like the fields for code it lives in a shadow
 * root, where its styles are allowed.
 */
export function SourceView({ path, content, line, onLine }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const choose = useRef(onLine)
  useLayoutEffect(() => {
    choose.current = onLine
  })
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const doc = EditorState.create({ doc: content }).doc
    const start = line !== undefined && line <= doc.lines ? doc.line(line).from : undefined
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc,
        extensions: [
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': path, 'aria-readonly': 'true' }),
          lineNumbers({
            domEventHandlers: {
              click(editor, block) {
                choose.current(editor.state.doc.lineAt(block.from).number)
                return true
              },
            },
          }),
          search({ top: true }),
          keymap.of(searchKeymap),
          StreamLanguage.define(solidity),
          syntaxHighlighting(colours),
          look,
          start === undefined ? [] : EditorView.decorations.of(Decoration.set(chosen.range(start))),
        ],
      }),
      ...(start !== undefined && { scrollTo: EditorView.scrollIntoView(start, { y: 'center' }) }),
    })
    return () => made.destroy()
  }, [path, content, line])
  return <div ref={host} className="field h-[480px] resize-y overflow-hidden p-0" />
}
