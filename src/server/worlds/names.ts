/** What things of a world name: people, groups and paths that must be there, before they are used, and once. Pure. */
import { ROOT } from '../setup/root.ts'
import type { World, WorldProject } from './schema.ts'

/** What is wrong with a world: where, and what. */
export interface Problem {
  readonly keys: readonly string[]
  readonly says: string
}

/** The path above: `tools` of `tools/cli`; undefined for one that is at the top. */
export const aboveOf = (path: string): string | undefined => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined)

/** Who makes a project: its owner, whom its path names, or the owner of its group. */
export function ownerOf(world: World, { owner, path }: Pick<WorldProject, 'owner' | 'path'>): string {
  if (owner !== undefined) return owner
  const above = aboveOf(path)
  if (world.people?.some(({ username }) => username === above)) return above as string
  return world.groups?.find(group => group.path === above)?.owner ?? ROOT
}

/** The names in a world that nothing has, and those that two things have. */
export function danglingNames(world: World): Problem[] {
  const { people = [], groups = [], projects = [] } = world
  const problems: Problem[] = []
  const say = (keys: readonly string[], says: string) => problems.push({ keys, says })
  const usernames = new Set([ROOT])
  const tokens = new Set<string>()
  for (const [index, { username, token }] of people.entries()) {
    if (token !== undefined && tokens.has(token)) say(['people', `[${index}]`, 'token'], 'is the token of another user')
    if (token !== undefined) tokens.add(token)
    if (usernames.has(username)) say(['people', `[${index}]`, 'username'], `is taken: there is another "${username}"`)
    usernames.add(username)
  }
  const check = (keys: readonly string[], username: string | undefined) => {
    if (username !== undefined && !usernames.has(username)) say(keys, `names "${username}", who is not among the people of the world`)
  }
  const checkMembers = (keys: readonly string[], members: Readonly<Record<string, string>> = {}) => {
    for (const username of Object.keys(members)) check([...keys, 'members', username], username)
  }
  const paths = new Set(usernames)
  for (const [index, group] of groups.entries()) {
    const keys = ['groups', `[${index}]`]
    const above = aboveOf(group.path)
    if (above !== undefined && !groups.slice(0, index).some(({ path }) => path === above))
      say([...keys, 'path'], `is in "${above}", which no group before it is`)
    if (paths.has(group.path)) say([...keys, 'path'], `is taken: there is another "${group.path}"`)
    paths.add(group.path)
    check([...keys, 'owner'], group.owner)
    checkMembers(keys, group.members)
  }
  for (const [index, project] of projects.entries()) {
    const keys = ['projects', `[${index}]`]
    const above = aboveOf(project.path)
    if (above === undefined) say([...keys, 'path'], 'must begin with a group or a username: team/hello')
    else if (!paths.has(above) || (above.includes('/') && !groups.some(({ path }) => path === above)))
      say([...keys, 'path'], `is in "${above}", which is no group and nobody of the world`)
    if (paths.has(project.path)) say([...keys, 'path'], `is taken: there is another "${project.path}"`)
    paths.add(project.path)
    check([...keys, 'owner'], project.owner)
    checkMembers(keys, project.members)
    for (const { at, username } of namedIn(project)) check([...keys, ...at], username)
  }
  return problems
}

/** The people that the contents of a project name. */
function namedIn(project: WorldProject): { at: string[]; username: string | undefined }[] {
  const { history = [], issues = [], merge_requests = [], pipelines = [], releases = [] } = project
  const authors = Object.entries({ history, issues, merge_requests, pipelines, releases }).flatMap(([kind, things]) =>
    things.map(({ author }, index) => ({ at: [kind, `[${index}]`, 'author'], username: author })),
  )
  const others = Object.entries({ issues, merge_requests }).flatMap(([kind, items]) =>
    items.flatMap((item, index) => {
      const at = [kind, `[${index}]`]
      const lists = { assignees: item.assignees, ...('source' in item && { reviewers: item.reviewers, approved_by: item.approved_by }) }
      return [
        ...(item.comments ?? []).map(({ author }, n) => ({ at: [...at, 'comments', `[${n}]`, 'author'], username: author })),
        ...Object.entries(lists).flatMap(([key, list = []]) => list.map((username, n) => ({ at: [...at, key, `[${n}]`], username }))),
      ]
    }),
  )
  return [...authors, ...others]
}
