import { safeText } from './text.ts'

/** The names that the service knows of an address. */
export type KnownNames = {
  readonly name?: string | undefined
  /** What somebody who may has called it here. */
  readonly label?: string | undefined
  /** What a contract without another name is called in its verified source. */
  readonly sourceName?: string | undefined
}

/**
 * What an address is called: by the reader's own label, else by the one that all see, its name, or its source. `origin` says
 * who calls it so, where that is neither the reader nor what the address itself is: then it is shown with the name.
 */
export function nameOfAddress(
  own: string | undefined,
  { label, name, sourceName }: KnownNames,
): { readonly text: string | undefined; readonly origin: 'label' | 'source' | undefined } {
  const text = own ?? label ?? name ?? sourceName
  if (own !== undefined || text === undefined) return { text, origin: undefined }
  const origin = label !== undefined ? 'label' : name === undefined ? 'source' : undefined
  return { text: safeText(text, 40), origin }
}
