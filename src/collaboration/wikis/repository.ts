/** The git repositories of wikis: `group/project.wiki` and `group.wiki`. */
import type { SideRepository, SideRepositoryKind } from '../../code/side_repositories/side_repository.ts'
import { storedSide } from '../../code/side_repositories/side_repository.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type GroupRow, visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { measureSide } from '../../spaces/project_statistics/commands.ts'
import { projectMovedFrom, visibleProject } from '../../spaces/projects/queries.ts'
import { sharedStorage } from '../../spaces/projects/repository/store.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'

/** A group with the caller's role in it. */
export type GroupWithRole = GroupRow & { readonly role: number }

const SUFFIX = '.wiki'

/** The wiki of a project. */
export const wikiOfProject = (project: ProjectWithRole): SideRepository => ({
  noun: 'Wiki',
  subject: projectSubject(project),
  fetch: 'download_wiki',
  push: 'create_wiki',
  pushRefusal: project.archived ? 'The project is archived: nothing can be pushed to its wiki.' : undefined,
  storage: project.repository_storage,
  key: { id: project.id, suffix: 'wiki' },
  branch: project.default_branch,
  project,
  async onChanged({ db, deps }) {
    const repository = await storedSide(deps.storages, this)
    if (repository) await measureSide(db, project.id, 'wiki_size', [repository])
  },
})

/** The wiki of a group. */
export const wikiOfGroup = (group: GroupWithRole): SideRepository => ({
  noun: 'Wiki',
  subject: groupSubject(group),
  fetch: 'download_group_wiki',
  push: 'create_group_wiki',
  storage: sharedStorage,
  key: { folder: '@groups', id: group.id, suffix: 'wiki' },
  branch: null,
  project: undefined,
  async onChanged() {},
})

export const wikiRepositories: SideRepositoryKind = {
  recognizes: path => path.endsWith(SUFFIX),
  async find({ db, actor, tier }, given) {
    const path = given.slice(0, -SUFFIX.length)
    const project = path.includes('/') ? await visibleProject(db, actor, path) : undefined
    if (project) return wikiOfProject(project)
    const group = tier === 'free' || /^\d+$/.test(path) ? undefined : await visibleGroup(db, actor, path)
    if (group) return wikiOfGroup(group)
    const moved = path.includes('/') ? await projectMovedFrom(db, actor, path) : undefined
    if (!moved) throw notFound('Wiki')
    return wikiOfProject(moved)
  },
}
