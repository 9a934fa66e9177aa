const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** Whether the last six characters of a lower-case bech32 text are the checksum of what is before them (BIP 173). */
export function hasBech32Checksum(text: string): boolean {
  const at = text.lastIndexOf('1')
  const prefix = Array.from(text.slice(0, at), (letter) => letter.charCodeAt(0))
  const values = [
    ...prefix.map((code) => code >> 5),
    0,
    ...prefix.map((code) => code & 31),
    ...Array.from(text.slice(at + 1), (letter) => letters.indexOf(letter)),
  ]
  let sum = 1
  for (const value of values) {
    const top = sum >> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) sum ^= generator
  }
  return sum === 1
}
