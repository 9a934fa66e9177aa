import { Children, type ReactNode } from 'react'
import { sentence } from '../lib/text.ts'
import { useFirstToSay } from './hooks.ts'
import { BanIcon, FailedIcon, SlashIcon } from './icons.ts'

function Message({
  icon,
  title,
  children,
  role,
}: {
  icon: ReactNode
  title: string
  children?: ReactNode
  role?: 'alert'
}) {
  return (
    <div role={role} className="flex flex-col items-start gap-2 py-8">
      <p className="flex items-start gap-2 font-strong [&>svg]:mt-0.5">
        {icon}
        {title}
      </p>
      {children !== undefined && (
        <div className="flex w-full max-w-[64ch] flex-col items-start gap-3 wrap-anywhere text-muted">
          {/* The words of a sentence with a link in it are one paragraph, not a line each. */}
          {Children.toArray(children).some((child) => typeof child === 'string' && child.trim() !== '') ? (
            <p>{children}</p>
          ) : (
            children
          )}
        </div>
      )}
    </div>
  )
}

/** An empty state: what would be here, and why it is not. */
export function EmptyState({
  title,
  icon = <SlashIcon className="text-muted" />,
  children,
}: {
  title: string
  icon?: ReactNode
  children?: ReactNode
}) {
  return (
    <Message icon={icon} title={title}>
      {children}
    </Message>
  )
}

/** A state for operations that this deployment does not offer, and which one would. */
export function UnsupportedState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Message icon={<BanIcon className="text-warn" />} title={title}>
      {children}
    </Message>
  )
}

type FailedProps = {
  /** What failed: “The blocks could not be loaded.” */
  title: string
  status?: number | undefined
  name?: string | undefined
  message?: string | undefined
  requestId?: string | undefined
  onRetry?: (() => void) | undefined
}

/**
 * A message of the service among the sentences of a page, with a capital and an end. One that begins with the name of a field
 * (`pageSize: …`) or with a capital stays as it is.
 */
const asSentence = (message: string): string =>
  /^[a-z][a-z-]* /.test(message) ? sentence(message.charAt(0).toUpperCase() + message.slice(1)) : message

/**
 * A failed request: what failed, with status and request ID, and a button to try again. Of several with the same reason,
 * the first gives it.
 */
export function FailedState({ title, status, name, message, requestId, onRetry }: FailedProps) {
  const isFirst = useFirstToSay(message ?? title)
  return (
    <Message icon={<FailedIcon className="text-bad" />} title={title} role="alert">
      {message && isFirst && <p>{asSentence(message.split('\n', 1)[0] ?? '')}</p>}
      {/* Such as the place in a statement, which a caret below it marks. */}
      {message?.includes('\n') && (
        <pre className="max-w-full overflow-x-auto text-mono">
          {message.slice(message.indexOf('\n')).replace(/^\n+/, '')}
        </pre>
      )}
      <p className="font-mono text-mono">
        {status ? `${status} ${name ?? ''}` : (name ?? 'Error')}
        {requestId && <> · request {requestId}</>}
      </p>
      {onRetry && (
        <button type="button" className="control text-text" onClick={onRetry}>
          Try again
        </button>
      )}
    </Message>
  )
}

/** What a figure says in words where there is none: smaller than a figure, and muted. */
export const inWords = (words: string, title?: string): ReactNode => (
  <span className="text-sm font-normal text-muted" title={title}>
    {words}
  </span>
)
