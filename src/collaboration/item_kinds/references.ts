/** References to an issue or merge request (document 1 "References object"; decision 33). */
import Type from 'typebox'
import { text } from '../../platform/kernel/declaration/types.ts'

export const References = Type.Object({
  short: text('Reference as it is written within the project or group'),
  relative: text("Reference as it is written from the list's project or group"),
  full: text('Reference with the full path'),
})

/**
 * The references of an item of the project `path`, e.g. `#7` with the sign `#`. Contract: `relative` is short within the
 * project, and within a group omits the group's path (decision 33).
 * @param askedIn full path of the project or group of the request; null for the whole instance
 */
export function referencesOf(sign: string, iid: number, path: string, askedIn: string | null) {
  const short = `${sign}${iid}`
  const full = `${path}${short}`
  if (askedIn === path) return { short, relative: short, full }
  return { short, relative: askedIn !== null && path.startsWith(`${askedIn}/`) ? full.slice(askedIn.length + 1) : full, full }
}
