/** Finds paths by some of their characters, as file finders do; runs in browsers and in the server. Pure. */

/** How well a path fits: more is better; undefined for one that lacks a character. `query` is in lower case and has no spaces. */
export function scoreOf(path: string, query: string): number | undefined {
  const lower = path.toLowerCase()
  const name = lower.lastIndexOf('/') + 1
  const whole = lower.lastIndexOf(query)
  if (whole >= 0) {
    // The text itself: best at the beginning of the name or of a word, and in a short path.
    const place = whole === name ? 400 : whole > name ? 300 : 200
    return 1000 + place + (isStart(path, whole) ? 50 : 0) - Math.min(150, path.length - query.length)
  }
  let score = 0
  let at = lower.length
  // From the end: what is typed is mostly the end of a path.
  for (let index = query.length - 1; index >= 0; index--) {
    const found = lower.lastIndexOf(query[index] as string, at - 1)
    if (found < 0 || at === 0) return undefined
    if (found === at - 1) score += 8
    if (isStart(path, found)) score += 10
    if (found >= name) score += 4
    at = found
  }
  return score - path.length / 20
}

/** Does a word begin here: after a slash, dot, dash or underscore, or with a capital? */
function isStart(path: string, index: number): boolean {
  const before = path[index - 1]
  return before === undefined || /[/._\- ]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(path[index] as string))
}

/** The paths that fit best, in this order; all of them in theirs for an empty text. */
export function bestPaths(paths: readonly string[], text: string, most: number): string[] {
  const query = text.toLowerCase().replace(/\s+/g, '')
  if (query === '') return paths.slice(0, most)
  const found: { readonly path: string; readonly score: number }[] = []
  for (const path of paths) {
    const score = scoreOf(path, query)
    if (score !== undefined) found.push({ path, score })
  }
  return found
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ path }) => path)
}
