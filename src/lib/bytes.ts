const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Bytes in decimal units with three digits: `812 B`, `1.53 GB`, `-20.4 MB`. */
export function formatBytes(bytes: number): string {
  let value = Math.abs(bytes)
  let unit = 0
  // 999.5 would be rounded to four digits.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
  return `${bytes < 0 ? '-' : ''}${value.toFixed(digits)} ${units[unit]}`
}
