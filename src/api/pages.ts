/** An answer of a list operation: its rows, and the page token of the next page. */
export type ListPage = { readonly nextPageToken?: string | undefined }

/** Reads the pages of a list in order. */
export async function* readPages<Page extends ListPage>(
  read: (pageToken: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let pageToken: string | undefined
  do {
    const page = await read(pageToken)
    yield page
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
}
