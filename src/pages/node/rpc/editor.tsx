import type { CompletionSource } from '@codemirror/autocomplete'
import { json, jsonLanguage } from '@codemirror/lang-json'
import { syntaxTree } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { nodeMethods, type NodeMethod } from '../../../../contract/node/node-methods.ts'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { nameOn } from '../../../api/node/node-request.ts'
import { CodeEditor } from '../../../components/code-editor.tsx'

type Props = {
  text: string
  names: NodeTarget['names']
  /** What is wrong with the calls; empty when nothing is. */
  wrong: string
  onText: (text: string) => void
  /** Called when a method was completed, so that its example can be inserted. */
  onMethod: (method: NodeMethod) => void
  onSend: () => void
}

/** The names of the methods, where the value of `"method"` is typed. */
function methodNames(names: NodeTarget['names'], onMethod: (method: NodeMethod) => void): CompletionSource {
  return ({ state, pos }) => {
    const value = syntaxTree(state).resolveInner(pos, -1)
    const name = value.name === 'String' ? value.parent?.firstChild : null
    if (name?.name !== 'PropertyName' || state.sliceDoc(name.from, name.to) !== '"method"') return null
    const from = value.from + 1
    const isClosed = value.to > from && state.sliceDoc(value.to - 1, value.to) === '"'
    return {
      from,
      to: isClosed ? value.to - 1 : value.to,
      options: nodeMethods.map((method) => ({
        label: nameOn(method, names),
        detail: method.summary,
        apply: (view, { label }, start, end) => {
          view.dispatch({
            changes: { from: start, to: end, insert: label },
            selection: { anchor: start + label.length },
          })
          onMethod(method)
        },
      })),
    }
  }
}

/** A field for calls of a node: it completes the names of methods, and Ctrl Enter sends. */
export function Editor({ text, names, wrong, onText, onMethod, onSend }: Props) {
  const taken = useRef(onMethod)
  useLayoutEffect(() => {
    taken.current = onMethod
  })
  const language = useMemo(
    () => [
      json(),
      // The ref is read when a completion is taken, not while this renders.
      // oxlint-disable-next-line react/refs
      jsonLanguage.data.of({ autocomplete: methodNames(names, (method) => taken.current(method)) }),
      EditorView.lineWrapping,
    ],
    [names],
  )
  return (
    <CodeEditor
      label="Calls as JSON"
      description={wrong}
      value={text}
      onChange={onText}
      onRun={onSend}
      language={language}
      isWrong={wrong !== ''}
      className="h-64"
    />
  )
}
