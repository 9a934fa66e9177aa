const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu

/** Text of a stranger, such as a token's name, without control and direction characters, at most `max` long. */
export function safeText(value: string, max = 80): string {
  const plain = value.replace(invisible, '').trim()
  const letters = [...plain]
  return letters.length > max ? `${letters.slice(0, max).join('')}…` : plain
}
