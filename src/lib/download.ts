/** Hands a file made in the page to the browser. */
export function download(name: string, type: string, parts: readonly (string | Blob)[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The browser has taken the file by the next turn; the memory is given back then.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
