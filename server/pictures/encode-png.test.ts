import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { encodePng } from './encode-png.ts'

/** Opaque pixels: every third row of one colour, the others of bytes that rise and fall. */
function pixelsOf(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 4)
  let state = 7
  for (let at = 0; at < pixels.length; at += 4) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const isFlat = Math.floor(at / 4 / width) % 3 === 0
    pixels.set(isFlat ? [255, 0, 128, 255] : [state & 255, (state >> 8) & 255, (state >> 16) & 255, 255], at)
  }
  return pixels
}

test.each([
  [1, 1],
  [3, 2],
  [317, 97],
  // More than one stretch of rows.
  [700, 900],
])('%s × %s pixels are decoded as they were', async (width, height) => {
  const pixels = pixelsOf(width, height)
  const image = await loadImage(await encodePng(pixels, width, height))
  expect([image.width, image.height]).toEqual([width, height])
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  expect(Buffer.from(data).equals(pixels)).toBe(true)
})

test('every difference of two bytes is decoded as it was', async () => {
  // A row for each byte, below a row of each other byte.
  const pixels = Buffer.alloc(256 * 512 * 4, 255)
  for (let row = 0; row < 512; row += 1)
    for (let x = 0; x < 256; x += 1)
      pixels.set(
        row % 2 === 0 ? [x, x, x] : [row >> 1, 255 - (row >> 1), x ^ (row >> 1)],
        (row * 256 + x) * 4,
      )
  const image = await loadImage(await encodePng(pixels, 256, 512))
  const context = createCanvas(256, 512).getContext('2d')
  context.drawImage(image, 0, 0)
  expect(Buffer.from(context.getImageData(0, 0, 256, 512).data).equals(pixels)).toBe(true)
})

test('a large empty picture is small', async () => {
  expect((await encodePng(Buffer.alloc(3200 * 2000 * 4, 255), 3200, 2000)).length).toBeLessThan(200_000)
})
