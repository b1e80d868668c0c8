/** The addresses of uploads: below the full path of their project, which has several segments and becomes one for the router. */

const address = /^([^?]+)\/uploads\/([0-9a-f]{32})\/([^/?]+)\/?(\?.*)?$/

/** First segments that belong to no project. */
const reserved = new Set(['api', '-', 'oauth', 'users'])

/** `/group/project/uploads/<secret>/a.png` as `/group%2Fproject/uploads/<secret>/a.png`; undefined for every other address. */
export function encodeUploadPath(given: string): string | undefined {
  const [, path = '', secret, filename, query = ''] = address.exec(given) ?? []
  const parts = path.split('/').filter(part => part !== '')
  // Below `/-/` are pages of the project: a wiki has a folder of this name too.
  if (secret === undefined || parts.length < 2 || parts.includes('-') || reserved.has(parts[0] as string)) return undefined
  return `/${parts.join('%2F')}/uploads/${secret}/${filename}${query}`
}
