/** Any address with `?go-get=1` asks for the same: where the repository of its path is. */

/** `/group/project/package?go-get=1` as `/-/go_get/group%2Fproject%2Fpackage`; undefined for every other address. Pure. */
export function encodeGoGet(given: string): string | undefined {
  const end = given.indexOf('?')
  if (end < 0 || !/(^|&)go-get=1(&|$)/.test(given.slice(end + 1))) return undefined
  const parts = given
    .slice(0, end)
    .split('/')
    .filter(part => part !== '')
  if (parts.length < 2 || parts[0] === 'api') return undefined
  // What is encoded already stays so.
  return `/-/go_get/${parts.join('%2F')}`
}
