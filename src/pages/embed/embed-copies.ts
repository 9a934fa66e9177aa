import { useOffers, useProfile } from '../../api/current.ts'
import type { ChartCopy } from '../../components/charts/chart-menu.tsx'
import { embedText, type EmbedForm } from './embed-address.ts'

/** What the menu of a chart copies for other sites. */
function embedCopies(path: string, search: URLSearchParams, name: string): ChartCopy[] {
  const copy = (form: EmbedForm, label: string, note: string): ChartCopy => ({
    label,
    note,
    textOf: () => embedText(form, path, search, name),
  })
  return [
    copy('svg', 'Copy picture address', 'An SVG that follows the data'),
    copy('png', 'Copy PNG address', 'The same for chats and mail'),
    copy('frame', 'Copy iframe code', 'For sites that the settings allow'),
  ]
}

/**
 * The same; undefined unless the service of this page draws the picture, which is an operation of the contract: its
 * address is below that of the page.
 */
export function useEmbedCopies(
  operationId: string,
  path: string,
  search: URLSearchParams,
  name: string,
): ChartCopy[] | undefined {
  const isOwn = useProfile()?.dataUrl === ''
  return useOffers(operationId) && isOwn ? embedCopies(path, search, name) : undefined
}
