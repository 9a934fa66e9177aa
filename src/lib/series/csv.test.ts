import { describe, expect, test } from 'vitest'
import { seriesCsv } from './csv.ts'

describe('seriesCsv', () => {
  test('writes exact figures, ISO times and empty fields for gaps, oldest first', () => {
    const text = seriesCsv([
      {
        heading: 'Fees paid, C-Chain (AVAX)',
        decimals: 18,
        points: [
          { timestamp: 1762128000, value: 123456789012345678901n },
          { timestamp: 1762214400, value: null },
        ],
      },
      { heading: 'Transactions', decimals: 0, points: [{ timestamp: 1762214400, value: 12 }] },
    ])
    expect(text).toBe(
      'timestamp,utc,"Fees paid, C-Chain (AVAX)",Transactions\r\n' +
        '1762128000,2025-11-03T00:00:00Z,123.456789012345678901,\r\n' +
        '1762214400,2025-11-04T00:00:00Z,,12\r\n',
    )
  })

  test('neutralizes a formula in a name', () => {
    expect(seriesCsv([{ heading: '=HYPERLINK("x")', decimals: 0, points: [] }])).toBe(
      'timestamp,utc,"\'=HYPERLINK(""x"")"\r\n',
    )
  })
})
