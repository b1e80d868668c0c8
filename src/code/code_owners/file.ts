/** CODEOWNERS files: who owns which paths (code owners at 14.0). Pure. */

import { fitsPattern, type Pattern, partsOf, patternOf, type Work } from './pattern.ts'

/** A line of a file: paths and those who own them. */
export interface OwnerEntry {
  /** The pattern as it is written. */
  readonly name: string
  readonly pattern: Pattern
  /** Paths of users and groups, in lower case and without the `@`. */
  readonly paths: readonly string[]
  /** Email addresses of users, in lower case. */
  readonly emails: readonly string[]
}

/** Entries of which the last one that fits a path counts. */
export interface OwnerSection {
  /** Null for the entries before the first heading. */
  readonly name: string | null
  readonly isOptional: boolean
  readonly entries: readonly OwnerEntry[]
}

/** An entry that owns changed paths. */
export interface OwnedPaths extends OwnerEntry {
  readonly section: string | null
  readonly isOptional: boolean
}

/** Upper bound of the entries that count. Each may become an approval rule of each merge request, and lists of merge requests load all of them. */
export const MOST_ENTRIES = 2_000
/** Upper bound of the owners of an entry; as many as an approval rule may name. */
const MOST_OWNERS = 100
/** Upper bound of a pattern in characters: the longest path that systems have. */
const LONGEST_PATTERN = 4_096
/** Upper bound of a heading, as of the name of an approval rule. */
const LONGEST_HEADING = 255
/** Steps after which other requests get their turn; a few milliseconds. */
const STEPS_PER_TURN = 500_000
/** Upper bound of the steps for a merge request: about a second. An entry and a path take about five, unless they are made to take more. */
const MOST_STEPS = 100_000_000

/** Reads a file. What is neither a heading, a comment nor a pattern with owners says nothing. */
export function parseOwners(text: string): OwnerSection[] {
  const sections = new Map<string, { name: string | null; isOptional: boolean; entries: Map<string, OwnerEntry> }>()
  const sectionOf = (name: string | null, isOptional: boolean) => {
    // Contract: headings are not case-sensitive; sections of one name are one, with the first spelling, and required if one of them is (code owners).
    const key = name === null ? '' : `[${name.toLowerCase()}`
    const known = sections.get(key)
    if (known && !isOptional) known.isOptional = false
    const section = known ?? { name, isOptional, entries: new Map<string, OwnerEntry>() }
    sections.set(key, section)
    return section
  }
  let section = sectionOf(null, false)
  let count = 0
  for (const line of text.split('\n')) {
    if (count === MOST_ENTRIES) break
    const content = line.trim()
    // No path has the byte that texts of the database cannot have.
    if (content === '' || content.startsWith('#') || content.includes('\0')) continue
    const heading = headingIn(content)
    if (heading) section = sectionOf(heading.name, heading.isOptional)
    else {
      const entry = entryIn(content)
      if (!entry) continue
      // Contract: of a pattern that is there twice the last one counts (code owners).
      section.entries.delete(entry.name)
      section.entries.set(entry.name, entry)
      count++
    }
  }
  return [...sections.values()].flatMap(({ name, isOptional, entries }) =>
    entries.size === 0 ? [] : { name, isOptional, entries: [...entries.values()] },
  )
}

/** `[Name]`, or `^[Name]` for an optional section. */
function headingIn(line: string): { readonly name: string; readonly isOptional: boolean } | undefined {
  const isOptional = line.startsWith('^[')
  if (!isOptional && !line.startsWith('[')) return undefined
  const start = isOptional ? 2 : 1
  const end = line.indexOf(']', start)
  const name = end < 0 ? '' : line.slice(start, end).trim()
  return name === '' || name.length > LONGEST_HEADING ? undefined : { name, isOptional }
}

function entryIn(line: string): OwnerEntry | undefined {
  let end = 0
  while (end < line.length && line[end] !== ' ' && line[end] !== '\t') end += line[end] === '\\' ? 2 : 1
  if (end > LONGEST_PATTERN) return undefined
  const name = line.slice(0, end)
  const owners = line.slice(end).split(/\s/u).filter(Boolean)
  const paths = owners.flatMap(owner => (owner.startsWith('@') && owner[1] !== '@' ? owner.slice(1).toLowerCase() : []))
  const emails = owners.flatMap(owner => (owner.indexOf('@') > 0 ? owner.toLowerCase() : []))
  return {
    name,
    pattern: patternOf(name),
    paths: [...new Set(paths)].slice(0, MOST_OWNERS),
    emails: [...new Set(emails)].slice(0, MOST_OWNERS),
  }
}

/**
 * The entries that own these paths: of each section the last one that fits. Entries without owners take paths out of the ownership of those before them.
 * Where the comparison would take too long all entries count, so that no change gets around its owners by its size.
 * @param tooLong what is answered in place of that
 */
export async function ownersOfPaths(
  sections: readonly OwnerSection[],
  paths: readonly string[],
  mostSteps = MOST_STEPS,
  tooLong?: OwnedPaths[],
): Promise<OwnedPaths[]> {
  const work: Work = { steps: 0 }
  let turn = STEPS_PER_TURN
  const found = new Set<OwnerEntry>()
  const lastFirst = sections.map(({ entries }) => entries.toReversed())
  for (const path of paths) {
    const parts = partsOf(path)
    for (const entries of lastFirst)
      for (const entry of entries) {
        const isFit = fitsPattern(entry.pattern, parts, work)
        if (work.steps > mostSteps) return tooLong ?? owning(sections, () => true)
        if (work.steps > turn) {
          turn = work.steps + STEPS_PER_TURN
          await new Promise(setImmediate)
        }
        if (!isFit) continue
        found.add(entry)
        break
      }
  }
  return owning(sections, entry => found.has(entry))
}

const owning = (sections: readonly OwnerSection[], counts: (entry: OwnerEntry) => boolean): OwnedPaths[] =>
  sections.flatMap(({ name: section, isOptional, entries }) =>
    entries
      .filter(entry => counts(entry) && entry.paths.length + entry.emails.length > 0)
      .map(entry => ({ ...entry, section, isOptional })),
  )
