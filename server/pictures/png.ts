import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import type * as Canvas from '@napi-rs/canvas'
import { inTheme, type Theme } from '../../charts/palette.ts'
import type { Picture } from '../../charts/sheet.ts'
import { encodePng } from './encode-png.ts'
import type { LineShape, PathShape, Shape, Stroke, TextShape } from '../../charts/shapes.ts'

type Context = Canvas.SKRSContext2D

/** The fonts of all PNGs (SIL Open Font License), so that they look the same on every machine. */
const family = 'Ridgeline Pictures'
const files = ['latin-400', 'latin-600', 'latin-ext-400', 'latin-ext-600'] as const

/** No PNG can be painted here: the platform has no build of the canvas. */
export class NoCanvas extends Error {
  override readonly name = 'NoCanvas'
}

let loading: Promise<typeof Canvas> | undefined

/** The canvas with its fonts. It is loaded when the first PNG is painted: a service that paints none needs no such memory. */
function loadCanvas(): Promise<typeof Canvas> {
  loading ??= load().catch((error: unknown) => {
    // What failed once, as reading a font may, is tried again by the next picture.
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<typeof Canvas> {
  let canvas: typeof Canvas
  try {
    canvas = await import('@napi-rs/canvas')
  } catch (cause) {
    throw new NoCanvas('there is no canvas for this platform', { cause })
  }
  const { resolve } = createRequire(import.meta.url)
  for (const file of files) {
    const font = await readFile(resolve(`@fontsource/inter/files/inter-${file}-normal.woff2`))
    canvas.GlobalFonts.register(font, file.includes('ext') ? `${family} Extended` : family)
  }
  return canvas
}

function setStroke(
  context: Context,
  { stroke = '', strokeWidth = 1, dash, round }: Partial<Stroke>,
  theme: Theme,
): void {
  context.strokeStyle = inTheme(stroke, theme)
  context.lineWidth = strokeWidth
  context.lineCap = round === true ? 'round' : 'butt'
  context.lineJoin = round === true ? 'round' : 'miter'
  context.setLineDash(dash === undefined ? [] : dash.split(' ').map(Number))
}

function paintLine(context: Context, shape: LineShape, theme: Theme): void {
  setStroke(context, shape, theme)
  context.beginPath()
  context.moveTo(shape.x1, shape.y1)
  context.lineTo(shape.x2, shape.y2)
  context.stroke()
}

function paintText(
  context: Context,
  { x, y, text, size, fill, anchor, strong }: TextShape,
  theme: Theme,
): void {
  context.font = `${strong === true ? 600 : 400} ${size}px "${family}", "${family} Extended", sans-serif`
  context.fillStyle = inTheme(fill, theme)
  context.textAlign = anchor === 'middle' ? 'center' : anchor
  context.fillText(text, x, y)
}

/** A line of no length is a dot by its round ends; the canvas draws none if a path is nothing else. */
const withDots = (d: string): string => d.replaceAll(/h0(?![\d.])/g, 'h0.01')

function paintPath(context: Context, shape: PathShape, { Path2D }: typeof Canvas, theme: Theme): void {
  const path = new Path2D(withDots(shape.d))
  if (shape.fill !== undefined) {
    context.fillStyle = inTheme(shape.fill, theme)
    context.globalAlpha = shape.fillOpacity ?? 1
    // The rule takes the context for an array.
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type
    context.fill(path)
    context.globalAlpha = 1
  }
  if (shape.stroke !== undefined) {
    setStroke(context, shape, theme)
    context.stroke(path)
  }
}

function paint(context: Context, shape: Shape, canvas: typeof Canvas, theme: Theme): void {
  if (shape.kind === 'text') paintText(context, shape, theme)
  else if (shape.kind === 'line') paintLine(context, shape, theme)
  else paintPath(context, shape, canvas, theme)
}

/**
 * A picture as PNG with `density` pixels for each CSS pixel. It is painted on this thread, in a few milliseconds at usual
 * sizes, and compressed on another. Throws NoCanvas where the platform has none.
 */
export async function pngOf(picture: Picture, theme: Theme, density: number): Promise<Buffer> {
  const canvas = await loadCanvas()
  const sheet = canvas.createCanvas(picture.width * density, picture.height * density)
  const context = sheet.getContext('2d')
  context.scale(density, density)
  for (const { x, y, shapes } of picture.groups) {
    context.save()
    context.translate(x, y)
    for (const shape of shapes) paint(context, shape, canvas, theme)
    context.restore()
  }
  // The first shape covers the whole sheet, so that no pixel is transparent, and its bytes are its colours.
  return encodePng(sheet.data(), sheet.width, sheet.height)
}
