/**
 * How deep a run of the tests goes. Some tests try a product: every parameter by every wrong value, every journey in every way. The whole of
 * such products takes most of an hour, and most of it says the same again. An ordinary run takes each factor with everything that decides
 * about it, and of the rest one in turn; `npm test -- --whole` takes the products whole.
 */

/** The environment variable by which the run says to its processes that it is a whole one. */
export const depthVariable = 'INGOT_TEST_DEPTH'

// biome-ignore lint/style/noProcessEnv: the way from the run to its processes
export const isWhole: boolean = process.env[depthVariable] === 'whole'

/**
 * What an ordinary run takes of a list: as many as `count`, a different part of it for each `place`, so that places side by side cover it.
 * @param place a number that tells the user of the list from others, as its index among them
 */
export function inTurn<Item>(list: readonly Item[], place: number, count = 1): readonly Item[] {
  if (isWhole || list.length <= count) return list
  return Array.from({ length: count }, (_, index) => list[(place * count + index) % list.length] as Item)
}

/**
 * For lists that belong to things of kinds: the first thing of each kind takes its whole list, the others a part of it in turn.
 * @returns what a thing of this kind takes, in the order of the calls
 */
export function wholeForFirst(count = 1): <Item>(kind: string, list: readonly Item[]) => readonly Item[] {
  const met = new Map<string, number>()
  return (kind, list) => {
    const place = met.get(kind) ?? 0
    met.set(kind, place + 1)
    return place === 0 ? list : inTurn(list, place, count)
  }
}
