/** The demo world as data: deterministic, so that users can refer to the same things. */
import type { roles as accessLevels, Visibility } from '../../../platform/access/abilities.ts'

/** The amount of everything. */
export interface Size {
  readonly people: number
  /** Top groups, each with a chain of nested groups six levels deep. */
  readonly divisions: number
  /** In each group. */
  readonly projects: number
  /** In each project. */
  readonly commits: number
}

export const sizes = {
  small: { people: 10, divisions: 1, projects: 1, commits: 4 },
  large: { people: 200, divisions: 10, projects: 2, commits: 20 },
} as const satisfies Record<string, Size>

/** The name of a role. */
export type MemberRole = Exclude<keyof typeof accessLevels, 'none'>

export interface DemoPerson {
  readonly username: string
  readonly name: string
  readonly email: string
}

export interface DemoGroup {
  readonly full_path: string
  /** Full path of the parent group; undefined for a top group. */
  readonly parent: string | undefined
  readonly path: string
  readonly name: string
  readonly visibility: Visibility
  readonly owner: string
  readonly members: readonly { readonly username: string; readonly role: MemberRole }[]
}

export interface DemoProject {
  readonly full_path: string
  readonly group: string
  readonly path: string
  readonly name: string
  readonly description: string
  readonly visibility: Visibility
  readonly commits: readonly DemoCommit[]
}

export interface DemoCommit {
  readonly author: string
  readonly message: string
  readonly files: readonly { readonly path: string; readonly content: string; readonly isNew: boolean }[]
}

export interface World {
  readonly people: readonly DemoPerson[]
  readonly groups: readonly DemoGroup[]
  readonly projects: readonly DemoProject[]
}

const levels = ['division', 'region', 'site', 'department', 'team', 'squad']
const roles: readonly MemberRole[] = ['maintainer', 'developer', 'developer', 'reporter', 'guest']
const visibilities: readonly Visibility[] = ['public', 'internal', 'private']
const nouns = ['gateway', 'ledger', 'catalogue', 'scheduler', 'console', 'archive', 'notifier', 'importer']

const turn = <T>(list: readonly T[], number: number): T => list[number % list.length] as T

/** The world of a size. */
export function worldOf(size: Size): World {
  const people = Array.from({ length: size.people }, (_, index) => ({
    username: `demo-${index + 1}`,
    name: `Demo Account ${index + 1}`,
    email: `demo-${index + 1}@example.com`,
  }))
  const groups = Array.from({ length: size.divisions }, (_, division) => lineOf(division, people)).flat()
  const projects = groups.flatMap((group, index) =>
    Array.from({ length: size.projects }, (_, number) => projectIn(group, index * size.projects + number, size.commits)),
  )
  return { people, groups, projects }
}

/** A division and its chain of groups, one on each level. */
function lineOf(division: number, people: readonly DemoPerson[]): DemoGroup[] {
  const line: DemoGroup[] = []
  for (const [depth, noun] of levels.entries()) {
    const parent = line.at(-1)
    const path = depth === 0 ? `demo-${noun}-${division + 1}` : `${noun}-${division + 1}`
    const first = division * levels.length + depth
    line.push({
      full_path: parent ? `${parent.full_path}/${path}` : path,
      parent: parent?.full_path,
      path,
      name: `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} ${division + 1}`,
      // The same for the whole chain: no group may be more visible than its parent.
      visibility: turn(visibilities, division),
      owner: turn(people, division).username,
      members: roles
        .map((role, index) => ({ username: turn(people, first + index + 1).username, role }))
        .filter(distinct(turn(people, division).username)),
    })
  }
  return line
}

/** Excludes the owner and duplicates. */
function distinct(owner: string): (member: { readonly username: string }) => boolean {
  const seen = new Set([owner])
  return ({ username }) => !seen.has(username) && seen.add(username) !== undefined
}

function projectIn(group: DemoGroup, number: number, commits: number): DemoProject {
  const noun = turn(nouns, number)
  const path = `${noun}-${number + 1}`
  const writers = [group.owner, ...group.members.filter(({ role }) => role === 'maintainer').map(({ username }) => username)]
  return {
    full_path: `${group.full_path}/${path}`,
    group: group.full_path,
    path,
    name: `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} ${number + 1}`,
    description: `The ${noun} of ${group.name}`,
    visibility: group.visibility,
    commits: Array.from({ length: commits }, (_, index) => commitOf(noun, index, turn(writers, index))),
  }
}

/** The first commit starts the project; each later one adds a step and records it. */
function commitOf(noun: string, index: number, author: string): DemoCommit {
  const steps = Array.from({ length: index + 1 }, (_, step) => `- step ${step + 1}\n`).join('')
  const notes = { path: 'NOTES.md', content: `# Notes\n\n${steps}`, isNew: index === 0 }
  const step = {
    path: `src/step_${index + 1}.js`,
    content: `/** Step ${index + 1} of the ${noun}. */\nexport const step${index + 1} = input => ({ ...input, step: ${index + 1} })\n`,
    isNew: true,
  }
  const readme = { path: 'README.md', content: `# ${noun}\n\nMade by \`ingot seed\`. The steps are in \`src/\`.\n`, isNew: true }
  return index === 0
    ? { author, message: `Begin the ${noun}`, files: [readme, notes, step] }
    : { author, message: `Add step ${index + 1}\n\nIt follows step ${index}, and the notes list it.`, files: [notes, step] }
}
