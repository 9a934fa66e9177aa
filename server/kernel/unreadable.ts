const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
}

/** Why a file that an operator named can't be used, without the words of the system or of the parser of JSON. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof SyntaxError) return `is not JSON: ${error.message}`
  const { code = '', message } = error as NodeJS.ErrnoException
  return words[code] ?? message
}
