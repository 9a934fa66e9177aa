/** Saves a file that the page has created. */
export function download(name: string, type: string, parts: readonly (string | Blob)[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The browser has started the download by then, so the memory can be released.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
