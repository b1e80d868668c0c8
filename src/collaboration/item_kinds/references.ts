/** References: how texts name an issue or merge request (document 1 "References object"; decision 33). */
import Type from 'typebox'

export const References = Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() })

/**
 * The references of a thing of the project `path`, e.g. `#7` with the sign `#`. Contract: `relative` is short from the
 * own project, and from a group has the path without that group's (decision 33).
 * @param askedIn the full path of the project or group that was asked; null for the whole instance
 */
export function referencesOf(sign: string, iid: number, path: string, askedIn: string | null) {
  const short = `${sign}${iid}`
  const full = `${path}${short}`
  if (askedIn === path) return { short, relative: short, full }
  return { short, relative: askedIn !== null && path.startsWith(`${askedIn}/`) ? full.slice(askedIn.length + 1) : full, full }
}
