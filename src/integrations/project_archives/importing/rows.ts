/** The rows of an archive, in one transaction: all of them, or none. */

import { join } from 'node:path'
import { recordArrival } from '../../../code/ref_updates/arrival.ts'
import { wikiKeyOf } from '../../../collaboration/wikis/repository.ts'
import { roles, type Visibility } from '../../../platform/access/abilities.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import { allowedLevelBelow } from '../../../platform/application_settings/restricted_levels.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { listBranches, type Repository, setDefaultBranch } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { fitsInside } from '../../../spaces/groups/commands.ts'
import { memberPlaceOfProject } from '../../../spaces/members/scope.ts'
import { measureSide } from '../../../spaces/project_statistics/commands.ts'
import { changeProject, type ProjectAttributes, setArchived, setAvatar } from '../../../spaces/projects/commands.ts'
import { deleteProject } from '../../../spaces/projects/lifecycle/deletion.ts'
import { type ProjectRow, projects } from '../../../spaces/projects/queries.ts'
import { findStored } from '../../../spaces/projects/repository/store.ts'
import { projectAllowing } from '../../../spaces/projects/scope.ts'
import { relationOf } from '../../archives/importing/import.ts'
import { importMembers, type People } from '../../archives/importing/people.ts'
import { assertForm } from '../../archives/reading/form.ts'
import { readLines, readObject } from '../../archives/reading/lines.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import { importBoards } from '../../archives/relations/boards.ts'
import { connectMentions } from '../../archives/relations/items/notes.ts'
import { importLabels, namesOfGroups } from '../../archives/relations/labels.ts'
import { importMilestones } from '../../archives/relations/milestones.ts'
import { importIssues } from '../relations/items/issues.ts'
import { importMergeRequests } from '../relations/items/merge_requests.ts'
import { dropStrayHeads } from '../relations/items/versions.ts'
import { importProtections } from '../relations/protections.ts'
import { importRegistryRules } from '../relations/registries.ts'
import { importReleases } from '../relations/releases.ts'
import { settingsIn } from '../relations/settings.ts'
import { importSnippets } from '../relations/snippets.ts'
import { type importOf, recordFailures } from './commands.ts'
import { importAvatar, importFiles, type StoredFiles } from './files.ts'
import type { ProjectImport } from './state.ts'

/** What was made of an archive before its rows are written. */
export interface Unpacked {
  readonly project: ProjectRow
  readonly folder: string
  readonly repository: Repository | undefined
  /** The branch that HEAD of the repository names. */
  readonly head: string | undefined
  readonly files: StoredFiles
  readonly stored: NonNullable<Awaited<ReturnType<typeof importOf>>>
  /** Who the people are, where the members of the archive do not say it. */
  readonly people?: People | undefined
}

async function firstOf(folder: string, relation: string) {
  for await (const row of readLines(join(folder, 'tree', 'project', `${relation}.ndjson`), relation)) return row
  return undefined
}

/** Writes all rows of an archive. @throws ArchiveRefused */
export async function importRows(ctx: Context, { project, folder, repository, head, files, stored, people }: Unpacked): Promise<void> {
  const { db, deps, now } = ctx
  await assertForm(folder, 'project')
  const tree = await readObject(join(folder, 'tree', 'project.json'), 'project')
  if (!tree) throw new ArchiveRefused('The archive is no export of a project: it has no file tree/project.json.')
  const settings = settingsIn(tree, {
    feature: await firstOf(folder, 'project_feature'),
    ci: await firstOf(folder, 'ci_cd_settings'),
    policy: await firstOf(folder, 'container_expiration_policy'),
  })
  const above = project.namespace_kind === 'group' ? project.namespace_traversal_ids : []
  const relations = join(folder, 'tree', 'project')
  const state: ProjectImport = {
    ctx,
    db,
    place: { project_id: project.id },
    relations,
    project,
    folder,
    repository,
    people:
      people ??
      (await importMembers(ctx, memberPlaceOfProject({ ...project, role: roles.none }), relationOf({ relations }, 'project_members'))),
    labels: await namesOfGroups(db, above, 'labels'),
    milestones: await namesOfGroups(db, above, 'milestones'),
    labelIds: new Map(),
    issues: new Map(),
    mergeRequests: new Map(),
    failures: [],
  }
  await importLabels(state)
  await importMilestones(state)
  await importIssues(state)
  await importMergeRequests(state)
  await dropStrayHeads(state)
  await connectMentions(state, state)
  await importReleases(state)
  await importBoards(state)
  await importSnippets(state)
  // Before the arrival of the repository, which protects the default branch where nothing else does.
  await importProtections(state)
  await importRegistryRules(state)
  await importFiles(state, files)
  if (repository) {
    const named = settings.defaultBranch
    if (named !== undefined && named !== head && (await hasBranch(repository, named))) await setDefaultBranch(repository, named)
    await recordArrival({ db, storages: deps.storages, now }, project.id, ctx.actor.user?.id)
  }
  const wiki = wikiKeyOf({ project })
  const pages = await findStored(deps.storages, wiki.storage, wiki.key)
  if (pages) await measureSide(db, project.id, 'wiki_size', [pages])
  await recordFailures(db, project.id, state.failures, now)
  await applySettings(state, settings, stored)
}

const hasBranch = async (repository: Repository, name: string): Promise<boolean> =>
  (await listBranches(repository)).some(branch => branch.name === name)

/** The settings last: the project was private until here, and shows itself as a whole. */
async function applySettings(state: ProjectImport, settings: ReturnType<typeof settingsIn>, stored: Unpacked['stored']): Promise<void> {
  const { ctx, db } = state
  const avatar = await importAvatar(state)
  if (avatar) await setAvatar(db, state.project.id, avatar)
  const overrides = stored.override_params as ProjectAttributes
  const fitting = await fittingIn(db, state.project, settings.attributes)
  const { name: _name, path: _path, import_url: _url, mirror: _mirror, ...rest } = { ...fitting, ...overrides }
  const visibility = overrides.visibility ?? (await visibilityOf(ctx, state.project, settings.visibility ?? 'private'))
  const place = await replace(state, stored)
  const project = await projects(db).where('projects.id', '=', state.project.id).executeTakeFirstOrThrow()
  const changed = await changeProject(ctx, project, { ...rest, visibility, ...place })
  if (settings.archived) await setArchived(ctx, changed, true)
}

/** Contract: an imported project is never more open than the group that it comes into, whatever the archive says (import and export of projects at 14.0). */
async function visibilityOf({ db, actor }: Context, project: ProjectRow, wanted: Visibility): Promise<Visibility> {
  const namespace = await db
    .selectFrom('namespaces')
    .select(['kind', 'visibility'])
    .where('id', '=', project.namespace_id)
    .executeTakeFirstOrThrow()
  const outer = namespace.visibility as Visibility
  return allowedLevelBelow(actor, await applicationSettings(db), namespace.kind === 'group' && !fitsInside(wanted, outer) ? outer : wanted)
}

/** The settings of an archive that its group allows: it may switch off the runners of the instance. */
async function fittingIn(db: Db, project: ProjectRow, attributes: ProjectAttributes): Promise<ProjectAttributes> {
  const { shared_runners_setting } = await db
    .selectFrom('namespaces')
    .select('shared_runners_setting')
    .where('id', '=', project.namespace_id)
    .executeTakeFirstOrThrow()
  const isAllowed = shared_runners_setting !== 'disabled_and_unoverridable'
  return isAllowed || !attributes.shared_runners_enabled ? attributes : { ...attributes, shared_runners_enabled: false }
}

/** Takes the place of the project that is overwritten. @throws ArchiveRefused where the user may not delete it any more */
async function replace({ ctx }: ProjectImport, stored: Unpacked['stored']): Promise<{ path?: string; name?: string }> {
  if (stored.replaces_id === null) return {}
  const replaced = await projectAllowing(ctx, String(stored.replaces_id), 'remove_project')
  if (!replaced) throw new ArchiveRefused('The project that was to be overwritten may not be deleted any more.', 'project')
  await deleteProject(ctx, replaced)
  const marked = await projects(ctx.db).where('projects.id', '=', replaced.id).executeTakeFirst()
  // Until the deletion delay has passed it can be restored, at another place.
  if (marked) await changeProject(ctx, marked, aside(marked))
  return { path: stored.final_path, name: stored.final_name }
}

/** Path and name of a project that makes room. */
const aside = ({ id, path, name }: ProjectRow) => {
  const suffix = `-deleted-${id}`
  return { path: `${path.slice(0, 255 - suffix.length)}${suffix}`, name: `${name.slice(0, 255 - suffix.length)}${suffix}` }
}
