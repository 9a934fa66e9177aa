import { acceptCompletion, autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { Annotation, Compartment, EditorState, Prec, type Extension } from '@codemirror/state'
import { Decoration, EditorView, keymap } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { colours, look } from './code-look.ts'

type Props = {
  label: string
  /** What a screen reader adds to the label: the keys, or what is wrong. */
  description: string
  value: string
  onChange: (text: string) => void
  /** Called by Ctrl or ⌘ with Enter. */
  onRun: () => void
  /** The language with its completions; the same object as long as neither changes. */
  language: Extension
  isWrong?: boolean
  /** The part of the text that is wrong, as offsets in it. */
  mark?: { readonly from: number; readonly to: number } | undefined
  className: string
}

/**
 * Replaces a selection itself. The browser would keep the colours of what was there by an inline style, which the
 * content security policy blocks.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    // What the browser has selected: the editor may not have heard of it yet. Chromium tells it by the shadow root.
    const root = view.root as Document | (ShadowRoot & { getSelection?: () => Selection | null })
    const selection = root.getSelection?.() ?? document.getSelection()
    if (event.inputType !== 'insertText' || event.data === null || !selection || selection.isCollapsed)
      return false
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
    if (!view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode)) return false
    const ends = [
      view.posAtDOM(anchorNode as Node, anchorOffset),
      view.posAtDOM(focusNode as Node, focusOffset),
    ]
    const [from, to] = [Math.min(...ends), Math.max(...ends)]
    view.dispatch({
      changes: { from, to, insert: event.data },
      selection: { anchor: from + event.data.length },
      userEvent: 'input.type',
    })
    return true
  },
})

const wrongPart = Decoration.mark({ class: 'cm-wrong' })

/** Marks a change that came from the value: it is not reported back. */
const fromOutside = Annotation.define<boolean>()

/**
 * A field for code with colours and completions. Tab takes the marked completion and leaves the field when there is
 * none. It lives in a shadow root: there its styles are adopted sheets, which the content security policy allows.
 */
export function CodeEditor({
  label,
  description,
  value,
  onChange,
  onRun,
  language,
  isWrong = false,
  mark,
  className,
}: Props) {
  const host = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView>()
  const [{ initial, languages, attributes, marks }] = useState(() => ({
    initial: value,
    languages: new Compartment(),
    attributes: new Compartment(),
    marks: new Compartment(),
  }))
  const calls = useRef({ onChange, onRun })
  useLayoutEffect(() => {
    calls.current = { onChange, onRun }
  })

  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const run = (): boolean => {
      calls.current.onRun()
      return true
    }
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: initial,
        extensions: [
          Prec.highest(
            keymap.of([
              { key: 'Mod-Enter', run },
              { key: 'Ctrl-Enter', run },
              { key: 'Tab', run: acceptCompletion },
            ]),
          ),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          history(),
          bracketMatching(),
          typeOver,
          autocompletion({ icons: false, interactionDelay: 0 }),
          syntaxHighlighting(colours),
          look,
          languages.of([]),
          attributes.of([]),
          marks.of([]),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            if (docChanged && !transactions.some((one) => one.annotation(fromOutside)))
              calls.current.onChange(state.doc.toString())
          }),
        ],
      }),
    })
    setView(made)
    return () => made.destroy()
  }, [initial, languages, attributes, marks])

  useEffect(() => {
    view?.dispatch({ effects: languages.reconfigure(language) })
  }, [view, languages, language])
  useEffect(() => {
    const content = { 'aria-label': label, 'aria-description': description, 'aria-invalid': String(isWrong) }
    view?.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(content)) })
  }, [view, attributes, label, description, isWrong])
  const [from, to] = [mark?.from, mark?.to]
  useEffect(() => {
    if (view === undefined) return
    const isInside = from !== undefined && to !== undefined && to <= view.state.doc.length
    view.dispatch({
      effects: marks.reconfigure(
        isInside ? EditorView.decorations.of(Decoration.set(wrongPart.range(from, to))) : [],
      ),
    })
  }, [view, marks, from, to])
  useEffect(() => {
    if (view === undefined || view.state.doc.toString() === value) return
    const { length } = view.state.doc
    view.dispatch({
      changes: { from: 0, to: length, insert: value },
      annotations: fromOutside.of(true),
    })
  }, [view, value])

  return (
    <div
      ref={host}
      aria-invalid={isWrong}
      className={`field overflow-hidden resize-y p-0 focus-within:outline-2 focus-within:outline-accent ${className}`}
    />
  )
}
