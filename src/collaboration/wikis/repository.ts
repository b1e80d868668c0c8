/** The git repositories of wikis: `group/project.wiki` and `group.wiki`. */
import type { Caller, SideRepository, SideRepositoryKind } from '../../code/side_repositories/side_repository.ts'
import { storedSide } from '../../code/side_repositories/side_repository.ts'
import { roles } from '../../platform/access/abilities.ts'
import { isWithinGroup } from '../../platform/access/credentials/job_reach.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type GroupRow, visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { measureSide } from '../../spaces/project_statistics/commands.ts'
import { projectMovedFrom, visibleProject } from '../../spaces/projects/queries.ts'
import { type Stored, sharedStorage } from '../../spaces/projects/repository/store.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import type { TextHome } from '../markdown/links.ts'
import { followWiki, type WikiOwner } from './changes.ts'

/** A group with the caller's role in it. */
export type GroupWithRole = GroupRow & { readonly role: number }

const SUFFIX = '.wiki'

/** A wiki of a project or group. */
export interface Wiki {
  readonly side: SideRepository
  readonly owner: WikiOwner
  /** Where the texts of its pages stand. */
  readonly home: TextHome
  /** Full path of the place. */
  readonly full_path: string
  /** Path of its pages: `/group/project/-/wikis`. */
  readonly base: string
}

/** Where the wiki of a project or group is stored. */
export const wikiKeyOf = (
  of: { readonly project: Stored } | { readonly group: { readonly id: number } },
): Pick<SideRepository, 'storage' | 'key'> =>
  'project' in of
    ? { storage: of.project.repository_storage, key: { id: of.project.id, suffix: 'wiki' } }
    : { storage: sharedStorage, key: { folder: '@groups', id: of.group.id, suffix: 'wiki' } }

/** The wiki of a project. */
export function wikiOfProject(project: ProjectWithRole): Wiki {
  const owner = { project_id: project.id }
  const side: SideRepository = {
    noun: 'Wiki',
    subject: projectSubject(project),
    fetch: 'download_wiki',
    push: 'create_wiki',
    pushRefusal: project.archived ? 'The project is archived: nothing can be pushed to its wiki.' : undefined,
    ...wikiKeyOf({ project }),
    branch: project.default_branch,
    project,
    async asNow({ db, actor }) {
      const now = await visibleProject(db, actor, String(project.id))
      if (!now) throw notFound('Wiki')
      return wikiOfProject(now).side
    },
    async onChanged(ctx, moves, commit) {
      const repository = await storedSide(ctx.deps.storages, side)
      if (repository) await measureSide(ctx.deps.database.db, project.id, 'wiki_size', [repository])
      await followWiki(ctx, side, owner, moves, commit)
    },
  }
  return { side, owner, home: project, full_path: project.full_path, base: `/${project.full_path}/-/wikis` }
}

/** The wiki of a group. */
export function wikiOfGroup(group: GroupWithRole): Wiki {
  const owner = { namespace_id: group.id }
  const side: SideRepository = {
    noun: 'Wiki',
    subject: groupSubject(group),
    fetch: 'download_group_wiki',
    push: 'create_group_wiki',
    ...wikiKeyOf({ group }),
    branch: null,
    project: undefined,
    async asNow(caller) {
      const now = await groupFor(caller, String(group.id))
      if (!now) throw notFound('Wiki')
      return wikiOfGroup(now).side
    },
    onChanged: (ctx, moves, commit) => followWiki(ctx, side, owner, moves, commit),
  }
  return { side, owner, home: { group }, full_path: group.full_path, base: `/groups/${group.full_path}/-/wikis` }
}

/** A group whose wiki is asked for, by its id or path; undefined if the caller may not see it. */
async function groupFor({ db, actor, tier }: Caller, id: string): Promise<GroupWithRole | undefined> {
  const group = tier === 'free' ? undefined : await visibleGroup(db, actor, id)
  return group && ((await isWithinGroup(db, actor, group.id)) ? group : { ...group, role: roles.none })
}

export const wikiRepositories: SideRepositoryKind = {
  recognizes: path => path.endsWith(SUFFIX),
  async find(caller, given) {
    const { db, actor } = caller
    const path = given.slice(0, -SUFFIX.length)
    const project = path.includes('/') ? await visibleProject(db, actor, path) : undefined
    if (project) return wikiOfProject(project).side
    // A number would be an id, and names no repository.
    const group = /^\d+$/.test(path) ? undefined : await groupFor(caller, path)
    if (group) return wikiOfGroup(group).side
    const moved = path.includes('/') ? await projectMovedFrom(db, actor, path) : undefined
    if (!moved) throw notFound('Wiki')
    return wikiOfProject(moved).side
  },
}
