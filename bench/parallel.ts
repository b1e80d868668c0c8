/** Several actions concurrently, as clients do them. */

/** Does `work` for each of `items`, at most `width` at a time; the results are in the order of the items. */
export async function inParallel<Item, Result>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const left = items.entries()
  const worker = async () => {
    // One iterator for all: a free worker takes the next.
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
