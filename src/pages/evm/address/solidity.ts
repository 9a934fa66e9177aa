import type { StreamParser } from '@codemirror/language'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

// The keywords of the grammar (docs.soliditylang.org, Language Grammar), of the newest and older versions.
const keywords = words(
  'abstract anonymous as assembly break calldata case catch constant constructor continue contract default delete do ' +
    'else emit enum error event external fallback final for function global if immutable import indexed interface ' +
    'internal is let leave library layout mapping memory modifier new override payable pragma private public pure ' +
    'receive require return returns revert solidity storage struct super switch this throw transient try type ' +
    'unchecked unicode using var view virtual while at',
)
const atoms = words('true false wei gwei ether seconds minutes hours days weeks years')
const types = /^(address|bool|string|bytes\d{0,2}|u?int\d{0,3}|u?fixed[\dx]*)$/

/** Colours of Solidity and Yul, line by line: enough to read by, not a grammar. */
export const solidity: StreamParser<{ isComment: boolean }> = {
  name: 'solidity',
  startState: () => ({ isComment: false }),
  token(stream, state) {
    if (state.isComment) {
      if (stream.skipTo('*/')) {
        stream.match('*/')
        state.isComment = false
      } else stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('/*')) {
      state.isComment = true
      return 'comment'
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string'
    if (stream.match(/^(?:0x[\da-fA-F_]+|\d[\d_.]*(?:e-?\d+)?)/)) return 'number'
    const word = stream.match(/^[A-Za-z_$][\w$]*/)
    if (!Array.isArray(word)) {
      stream.next()
      return null
    }
    const [text = ''] = word as string[]
    if (keywords.has(text)) return 'keyword'
    if (types.test(text)) return 'typeName'
    return atoms.has(text) ? 'bool' : null
  },
}
