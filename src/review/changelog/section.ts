/** A section of a changelog, and where it stands in the file: sections are in the order of their versions, the newest first. */
import { compareVersions, type Version, versionOf } from './versions.ts'

const TITLE = /^## +(\S+) +\([^)\r\n\u2028\u2029]*\)[ \t]*$/gm

/** The file with a section put before the first one of an older version. */
export function withSection(file: string, version: Version, section: string): string {
  for (const { index, 1: title = '' } of file.matchAll(TITLE)) {
    const other = versionOf(title)
    if (other && compareVersions(other, version) < 0) return `${file.slice(0, index)}${section}\n${file.slice(index)}`
  }
  const before = file.trimEnd()
  return before === '' ? section : `${before}\n\n${section}`
}
