import { useState } from 'react'
import { Button, Form, Input } from '../../components/controls.tsx'
import { useStore } from '../../components/hooks.ts'
import { CloseIcon } from '../../components/icons.ts'
import { deleteSavedSql, savedSql, saveSql } from '../../lib/storage/sql-saved.ts'
import { sqlHistory } from '../../lib/storage/sql-history.ts'

/** A question with the statement that answers it. */
export type Question = { readonly key: string; readonly text: string; readonly sql: string }

type ListProps = {
  label: string
  questions: readonly Question[]
  /** The statement whose question is marked. */
  current: string
  onPick: (sql: string) => void
  onRemove?: (key: string) => void
}

/** Questions to choose from; a click runs one. */
function Questions({ label, questions, current, onPick, onRemove }: ListProps) {
  return (
    <ul aria-label={label} className="border-t border-line">
      {questions.map(({ key, text, sql }) => (
        <li key={key} className="flex items-center border-b border-line">
          <button
            type="button"
            className="min-h-9 min-w-0 flex-1 px-1 py-1.5 text-left wrap-anywhere hover:bg-hover aria-[current]:text-accent"
            aria-current={sql === current ? true : undefined}
            title={sql}
            onClick={() => onPick(sql)}
          >
            {text}
          </button>
          {onRemove && (
            <Button
              small
              className="border-transparent px-1"
              aria-label={`Delete ${text}`}
              onClick={() => onRemove(key)}
            >
              <CloseIcon size={14} />
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

type Props = { current: string; onPick: (sql: string) => void }

/** The examples, each about the first chain of the service. */
export const Examples = ({ examples, ...rest }: Props & { examples: readonly Question[] }) => (
  <Questions label="Examples" questions={examples} {...rest} />
)

/** What was saved and what was run in this browser. */
export function Mine(props: Props) {
  const saved = useStore(savedSql).map(({ name, sql }): Question => ({ key: name, text: name, sql }))
  const history = useStore(sqlHistory).map(({ sql, at }): Question => ({
    key: `${at} ${sql}`,
    text: sql.replaceAll(/\s+/g, ' ').slice(0, 80),
    sql,
  }))
  return (
    <div className="flex flex-col gap-4">
      {saved.length === 0 ? (
        <p className="text-muted">Save a statement under a name to find it here. Kept in this browser.</p>
      ) : (
        <Questions label="Saved" questions={saved} onRemove={deleteSavedSql} {...props} />
      )}
      {history.length > 0 && (
        <section aria-label="History">
          <h2 className="pb-1 text-xs text-muted">Run lately</h2>
          <Questions label="Run lately" questions={history} {...props} />
        </section>
      )}
    </div>
  )
}

/** Saves a statement under a name. */
export function SaveForm({ sql, onDone }: { sql: string; onDone: () => void }) {
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <Form
      aria-label="Save the statement"
      className="flex flex-wrap items-center gap-2"
      onSubmit={() => {
        setWrong(name.trim() === '')
        if (name.trim() === '') return
        saveSql(name.trim(), sql)
        onDone()
      }}
    >
      <Input
        aria-label="Name of the statement"
        placeholder="Name"
        className="w-48"
        maxLength={80}
        aria-invalid={isWrong}
        value={name}
        // The form has just been opened by a button.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={setName}
      />
      <Button type="submit">Save</Button>
      <Button onClick={onDone}>Cancel</Button>
      {isWrong && (
        <span role="alert" className="text-xs text-bad">
          Give it a name.
        </span>
      )}
    </Form>
  )
}
