/**
 * The statements of a script, without the semicolons that end them. Knows comments, quoted texts and names, and bodies
 * between dollar signs, which are all that migrations use.
 */
export function statementsOf(script: string): string[] {
  const statements: string[] = []
  let start = 0
  let hasCode = false
  const end = (at: number): void => {
    if (hasCode) statements.push(script.slice(start, at).trim())
    start = at + 1
    hasCode = false
  }
  for (const { 0: token, index } of script.matchAll(tokens)) {
    if (token === ';') end(index)
    else if (!token.startsWith('--') && token.trim() !== '') hasCode = true
  }
  end(script.length)
  return statements
}

/** A comment, a text, a name, a body, white space, or one other character. */
const tokens = /--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|\s+|[^]/gu
