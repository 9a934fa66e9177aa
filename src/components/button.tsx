import type { ComponentProps } from 'react'

type Props = ComponentProps<'button'> & {
  readonly small?: boolean
}

/** A button with the look of the page's controls; `className` adds to it. */
export function Button({ small = false, className = '', type = 'button', ...rest }: Props) {
  return <button {...rest} type={type} className={`control ${small ? 'control-small' : ''} ${className}`} />
}
