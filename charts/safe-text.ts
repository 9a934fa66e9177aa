const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu

/** Text of a stranger, such as a token's name, without control and direction characters, at most `most` long. */
export function safeText(value: string, most = 80): string {
  const plain = value.replace(invisible, '').trim()
  const letters = [...plain]
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : plain
}
