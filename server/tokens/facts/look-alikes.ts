/**
 * Letters that look like a Latin letter, following the skeleton algorithm of Unicode Technical Standard 39.
 * This is a small table of its own: Cyrillic, Greek, Armenian, Cherokee and Lisu letters that common fonts
 * draw like Latin letters, digits and signs used in place of letters, and Latin letters without a
 * decomposition. Full-width, circled and mathematical letters are folded by NFKC.
 */
const looksLike: readonly (readonly [letter: string, drawnLike: string])[] = [
  ['a', 'аАαΑɑΛ4@ꓮᎪ'],
  ['b', 'ВвЬьβΒƀɓ8ꓐᏴ'],
  ['c', 'сСϲϹƈɕꓚᏟ¢'],
  ['d', 'ԁđɖɗÐðꓓᎠ'],
  ['e', 'еЕεΕєЄƎɛ3ꓰᎬ€ℯ'],
  ['f', 'ϜƒҒꓝ'],
  ['g', 'ɡԌɢ9ꓖᏀ'],
  ['h', 'НнһΗհꓧᎻ'],
  // I, l, 1 and | look the same: all fold to l.
  ['l', 'iIіІιΙıӏӀӀ1|!ℓłŁſׁꓲᏞꓡ'],
  ['j', 'јЈϳɈꓙᎫ'],
  ['k', 'кКκΚƙꓗᏦ'],
  ['m', 'мМΜꓟᎷ'],
  ['n', 'ΝпПηոռŋꓠИи'],
  ['o', 'оОοΟσ0øØөӨօՕ०๐ꓳⲟ'],
  ['p', 'рРρΡƿþÞꓑᏢ'],
  ['q', 'ԛգ'],
  ['r', 'гГ®ɍꓣᎡя'],
  ['s', 'ѕЅՏ5$ƽʂꓢᏚ§'],
  ['t', 'тТτΤŧƚ7ꓔᎢ'],
  ['u', 'υսцꓴ'],
  ['v', 'νѵѴꓦᏙ'],
  ['w', 'ѡԝԜωшШɯꓪᎳ'],
  ['x', 'хХχΧ×ꓫ'],
  ['y', 'уУγΥүҮƴ¥ꓬ'],
  ['z', 'ΖʐƶꓜᏃ2'],
]

const folded = new Map<string, string>(
  looksLike.flatMap(([letter, drawnLike]) => [...drawnLike].map((each) => [each, letter] as const)),
)

/** Pairs that look like one letter. */
const pairs: readonly (readonly [pair: string, letter: string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
]

/**
 * A key that is equal for texts that readers may confuse: it ignores compatibility forms, accents, case,
 * look-alike letters, spaces and signs. Empty if nothing readable is left.
 */
export function foldConfusables(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  let key = ''
  for (const letter of plain) {
    const lower = letter.toLowerCase()
    key += folded.get(letter) ?? folded.get(lower) ?? lower
  }
  for (const [pair, letter] of pairs) key = key.replaceAll(pair, letter)
  return key.replaceAll(/[^\p{L}\p{N}]/gu, '')
}
