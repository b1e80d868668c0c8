/** Chance that a seed brings back. */

export interface Chance {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  between(least: number, most: number): number
  of<T>(choices: readonly T[]): T
}

/** Numbers that follow from a seed (a linear congruential generator of 32 bits, whose upper bits are used). */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    of: choices => choices[below(choices.length)]!,
  }
}
