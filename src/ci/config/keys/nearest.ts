/** What a misspelled key was meant to be. Pure. */

/** Slips that a name may be away from what was meant: fewer for short ones, which are near to many. */
const slipsIn = (name: string): number => (name.length <= 5 ? 1 : 2)

/** The name among `known` that `written` is a slip of; undefined where there is none. Of several the nearest, then the first. */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  const name = written.toLowerCase().replaceAll('-', '_')
  let found: { readonly name: string; readonly slips: number } | undefined
  for (const candidate of known) {
    const slips = slipsBetween(name, candidate)
    if (candidate !== written && slips <= slipsIn(candidate) && slips < (found?.slips ?? Infinity)) found = { name: candidate, slips }
  }
  return found?.name
}

/** Letters that are missing, too many, or others, and neighbors that have changed places: how many of these make one text of another. */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] as number) + 1 : Infinity
      row.push(Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + (isSame ? 0 : 1), swapped))
    }
    ;[before, last] = [last, row]
  }
  return last[b.length] as number
}
