/** What follows from facts: an ordered list of which the first fit counts (house rule "States are data"). */

/** A word, and when it is the one. */
export type Match<Facts, Word extends string> = readonly [Word, (facts: Facts) => boolean]

/** Declares a list; its last entry must fit everything, so that there is always a word. */
export const firstMatch =
  <Facts, Word extends string>(...list: readonly Match<Facts, Word>[]) =>
  (facts: Facts): Word => {
    const found = list.find(([, fits]) => fits(facts))
    if (!found) throw new Error('no entry of the list fits')
    return found[0]
  }
