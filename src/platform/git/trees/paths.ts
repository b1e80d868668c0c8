/** Paths inside a repository. */

/**
 * The parts of a path from outside, or undefined when no file can have it: empty parts, `.` and `..`, a leading or
 * trailing slash, NUL, and `.git` in any letter case (which git refuses to check out).
 */
export function pathParts(path: string): string[] | undefined {
  if (Buffer.byteLength(path) > LONGEST) return undefined
  const parts = path.split('/')
  return parts.length <= DEEPEST && parts.every(isValidPart) ? parts : undefined
}

/** Bytes of a path, as systems bound those of a file, and the folders in it: trees are walked by functions that call themselves. */
const LONGEST = 4096
const DEEPEST = 1000

function isValidPart(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !part.includes('\0') && !isDotGit(part)
}

// git refuses the same, also in the spellings that case-insensitive or lenient file systems take for it: `.git::$INDEX_ALLOCATION`, `a\.git`.
function isDotGit(part: string): boolean {
  const plain = part.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
  return plain.split('\\').some(piece => /^(?:\.git|git~1)[ .]*(?:$|:)/i.test(piece))
}
