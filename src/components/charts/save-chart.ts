import { download } from '../../lib/download.ts'
import { chartPng } from './png.ts'

/** A file name of plain letters: "C-Chain Gas used" becomes "ridgeline-c-chain-gas-used". */
function fileName(about: readonly string[]): string {
  return ['ridgeline', ...about]
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Saves the figures of a chart; `about` becomes the file's name. */
export async function saveCsv(about: readonly string[], csv: () => string | Promise<string>): Promise<void> {
  download(`${fileName(about)}.csv`, 'text/csv;charset=utf-8', [await csv()])
}

/** Saves a chart as a picture with its heading and a note. Throws an Error if the browser cannot draw it. */
export async function savePng(
  about: readonly string[],
  svg: SVGSVGElement,
  heading: string,
  note: string,
): Promise<void> {
  download(`${fileName(about)}.png`, 'image/png', [await chartPng(svg, heading, note)])
}
