/** Makes a project of a world, with its history and all that is in it. */
import { createProject } from '../../../spaces/projects/commands.ts'
import { ROOT } from '../../setup/root.ts'
import { WorldRefused } from '../clients.ts'
import { aboveOf, ownerOf } from '../names.ts'
import type { WorldCommit, WorldProject, WorldRelease } from '../schema.ts'
import { makeIssue, makeMergeRequest } from './items.ts'
import type { Maker } from './maker.ts'
import { makePipeline } from './pipelines.ts'
import { endOf, makeLabels, makeMembers, makeMilestones, type Place } from './places.ts'

/** A project that is being made. */
export interface ProjectPlace extends Place {
  readonly path: string
  readonly defaultBranch: string
}

export async function makeProject(maker: Maker, keys: readonly string[], project: WorldProject): Promise<void> {
  const { path, name = endOf(path), description, visibility = 'private', default_branch: defaultBranch = 'main', topics } = project
  const owner = ownerOf(maker.world, project)
  const above = aboveOf(path) as string
  const id = await maker.step(keys, undefined, async () => {
    const space = await maker.do(ROOT, `GET /namespaces/${encodeURIComponent(above)}`)
    const row = await maker.run(owner, ctx =>
      createProject(ctx, {
        path: endOf(path),
        name,
        visibility,
        namespace_id: space.id,
        default_branch: defaultBranch,
        // Pipelines are those of the file, and no others.
        builds_access_level: 'disabled',
        ...(description !== undefined && { description }),
      }),
    )
    if (topics) await maker.do(owner, `PUT /projects/${row.id}`, { topics })
    return row.id
  })
  const place: ProjectPlace = { keys, url: `/projects/${id}`, owner, path, defaultBranch }
  await makeMembers(maker, place, project.members)
  await makeLabels(maker, place, project.labels)
  await makeMilestones(maker, place, project.milestones)
  await makeHistory(maker, place, project.history ?? [])
  for (const [index, issue] of (project.issues ?? []).entries()) await makeIssue(maker, place, ['issues', `[${index}]`], issue)
  for (const [index, proposal] of (project.merge_requests ?? []).entries())
    await makeMergeRequest(maker, place, ['merge_requests', `[${index}]`], proposal)
  for (const [index, release] of (project.releases ?? []).entries())
    await maker.step([...keys, 'releases', `[${index}]`], release.at, () => makeRelease(maker, place, release))
  await maker.step(keys, undefined, () => maker.do(owner, `PUT ${place.url}`, { builds_access_level: 'enabled' }))
  for (const [index, pipeline] of (project.pipelines ?? []).entries())
    await maker.step([...keys, 'pipelines', `[${index}]`], pipeline.at, () => makePipeline(maker, place, pipeline))
}

/** Makes the commits in their order. The owner pushes them, since an author need not have the right to; the authors are those of the file. */
async function makeHistory(maker: Maker, place: ProjectPlace, history: readonly WorldCommit[]): Promise<void> {
  /** The files of each branch and tag, and their commits. */
  const trees = new Map<string, ReadonlySet<string>>()
  const tips = new Map<string, string>()
  for (const [index, commit] of history.entries()) {
    const { branch = place.defaultBranch, from, tag } = commit
    await maker.step([...place.keys, 'history', `[${index}]`], commit.at, async () => {
      const isNew = !trees.has(branch)
      const start = isNew && trees.size > 0 ? (from ?? place.defaultBranch) : undefined
      if (from !== undefined && !isNew) throw new WorldRefused(`the branch "${branch}" is there already: leave out "from"`)
      const before = trees.get(start ?? branch) ?? new Set<string>()
      if (start !== undefined && !trees.has(start)) throw new WorldRefused(`no commit before it is on "${start}"`)
      const author = commit.author === undefined ? undefined : await maker.do(ROOT, `GET /users/${await maker.userId(commit.author)}`)
      const { id } = await maker.do(place.owner, `POST ${place.url}/repository/commits`, {
        branch,
        commit_message: commit.message,
        ...(start !== undefined && { start_sha: tips.get(start) }),
        ...(author && { author_name: author.name, author_email: author.email }),
        actions: Object.entries(commit.files).map(([file_path, content]) => ({
          action: content === null ? 'delete' : before.has(file_path) ? 'update' : 'create',
          file_path,
          ...(content !== null && { content }),
        })),
      })
      if (tag !== undefined) await maker.do(place.owner, `POST ${place.url}/repository/tags`, { tag_name: tag, ref: id })
      const after = new Set([...before, ...Object.keys(commit.files)].filter(path => commit.files[path] !== null))
      for (const ref of tag === undefined ? [branch] : [branch, tag]) {
        trees.set(ref, after)
        tips.set(ref, id)
      }
    })
  }
}

async function makeRelease(maker: Maker, place: ProjectPlace, release: WorldRelease): Promise<void> {
  const { tag, ref = place.defaultBranch, links = [], at: _, author = place.owner, ...attributes } = release
  await maker.do(author, `POST ${place.url}/releases`, { tag_name: tag, ref, ...attributes, assets: { links } })
}
