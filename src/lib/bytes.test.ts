import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [999, '999 B'],
  [1_000, '1.00 kB'],
  [9_994, '9.99 kB'],
  [9_996, '10.0 kB'],
  [999_499, '999 kB'],
  [999_500, '1.00 MB'],
  [1_534_000_000, '1.53 GB'],
  [-20_400_000, '-20.4 MB'],
  [7.5e12, '7.50 TB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
