import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The colours of code. */
export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.propertyName, tags.bool, tags.null], color: 'var(--color-accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--color-ok)' },
  { tag: tags.number, color: 'var(--color-warn)' },
  { tag: tags.comment, color: 'var(--color-muted)' },
])

/** The look of fields and views of code. */
export const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--color-text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', fontSize: '13px', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--color-text)' },
  '.cm-line': { padding: '0 10px' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--color-accent-soft)' },
  '.cm-tooltip': {
    border: '1px solid var(--color-line)',
    borderRadius: '6px',
    backgroundColor: 'var(--color-raised)',
    boxShadow: 'var(--shadow-float)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxWidth: 'min(560px, 90vw)', maxHeight: '18em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '4px 8px',
    borderRadius: '4px',
    fontFamily: 'var(--font-mono)',
    lineHeight: '20px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-hover)',
    color: 'var(--color-text)',
  },
  '.cm-completionDetail': {
    marginLeft: '12px',
    color: 'var(--color-muted)',
    fontFamily: 'var(--font-sans)',
    fontSize: '12px',
    fontStyle: 'normal',
  },
  '.cm-wrong': {
    textDecoration: 'underline wavy var(--color-bad)',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--color-bad-soft)',
  },
  '.cm-gutters': {
    border: 'none',
    backgroundColor: 'transparent',
    color: 'var(--color-muted)',
  },
  '.cm-panels': { backgroundColor: 'var(--color-raised)', color: 'var(--color-text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--color-line)' },
  '.cm-searchMatch': { backgroundColor: 'var(--color-warn-soft)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--color-accent-soft)' },
  '.cm-chosen': { backgroundColor: 'var(--color-accent-soft)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
})
