/** Measuring on a machine that is shared and noisy: target and floor in turn, several times, and the middle of each. */

/** What both sides came to. */
export interface Pair<Sample> {
  readonly target: readonly Sample[]
  readonly floor: readonly Sample[]
}

/** Measures target, floor, target, floor, ... `rounds` times each. */
export async function inTurn<Sample>(
  rounds: number,
  target: (round: number) => Promise<Sample>,
  floor: (round: number) => Promise<Sample>,
): Promise<Pair<Sample>> {
  const samples = { target: [] as Sample[], floor: [] as Sample[] }
  for (let round = 0; round < rounds; round++) {
    samples.target.push(await target(round))
    samples.floor.push(await floor(round))
  }
  return samples
}

/** Measures each side in turn, `rounds` times each; the samples are in the order of the sides. */
export async function takeTurns<Sample>(rounds: number, sides: readonly (() => Promise<Sample>)[]): Promise<Sample[][]> {
  const samples = sides.map((): Sample[] => [])
  for (let round = 0; round < rounds; round++) for (const [at, side] of sides.entries()) samples[at]?.push(await side())
  return samples
}

/** The middle one; of an even number, the mean of the middle two. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2
}

/** The middle of target ÷ floor over the rounds: neighbours in time had the same share of the machine. */
export const ratioOf = (target: readonly number[], floor: readonly number[]): number =>
  median(target.map((value, round) => value / (floor[round] as number)))
