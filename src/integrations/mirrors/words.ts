/** Names of references in messages about mirrors. */

/** Names that a message has; the others are counted. */
const MOST = 10

/** `main, topic and tag v1`: branches by their name, at most ten of them. */
export function named(refs: readonly string[]): string {
  const shown = refs.slice(0, MOST).map(ref => ref.replace(/^refs\/heads\//, '').replace(/^refs\/tags\//, 'tag '))
  return `${shown.join(', ')}${refs.length > MOST ? ` and ${refs.length - MOST} more` : ''}`
}
