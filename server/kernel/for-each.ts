/** Runs an action for every item, at most `width` at a time. After a failure no further one starts. */
export async function forEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  width: number,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  for await (const item of items) {
    const one = action(item)
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(one))
    running.add(one)
    if (running.size >= width) await Promise.race(running)
    if (failure) break
  }
  await Promise.all(running)
  if (failure) throw failure.error
}
