/** A release as JSON (releases API at 14.0). */
import Type, { type Static } from 'typebox'
import { commitSchema, presentCommit } from '../../code/repository/commits/entity.ts'
import { linksOf } from '../../collaboration/markdown/links.ts'
import { readMarkdown, renderMarkdown } from '../../collaboration/markdown/reading.ts'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { usersById } from '../../identity/users/queries.ts'
import { type IssueStats, issueStatsOf } from '../../planning/milestones/queries.ts'
import { EmbeddedMilestone, presentMilestone } from '../../planning/shared/embedded.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { type Commit, readCommits } from '../../platform/git/index.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { projectsWithRoleById } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { releaseUrl, sourcesOf } from './assets.ts'
import { evidencesOfReleases, type ListedEvidence } from './evidences/queries.ts'
import { linkSchema, presentLink } from './links/entity.ts'
import { type LinkRow, linksOfReleases } from './links/queries.ts'
import { milestonesOfReleases, type ReleaseRow } from './queries.ts'

const fields = {
  name: text('Name of the release'),
  // Contract: fields about the code are shown to users who may read it, and absent for others (releases API).
  tag_name: optional(text('Name of the tag')),
  description: Nullable(text('Description; null or empty where there is none')),
  created_at: DateTime('When it was created'),
  released_at: DateTime('When it was or will be released'),
  upcoming_release: flag('Whether the day of the release has not come'),
  author: optional(described('The user who made it; absent where the account is deleted', Type.Object(summaryFields))),
  commit: optional(Nullable(described('The commit of the tag; null where it is missing', commitSchema))),
  milestones: optional(
    described(
      'Milestones',
      Type.Array(
        Type.Object({
          ...EmbeddedMilestone.properties,
          issue_stats: described(
            'Numbers of issues',
            Type.Object({ total: integer('Number in all'), closed: integer('Number of closed ones') }),
          ),
        }),
      ),
    ),
  ),
  commit_path: optional(text("Path of the commit's page")),
  tag_path: optional(text("Path of the tag's page")),
  assets: described(
    'Sources and links of the release',
    Type.Object({
      count: integer('Number of links and sources'),
      sources: optional(
        described(
          'Archives of the sources',
          Type.Array(Type.Object({ format: text('Format of the archive'), url: text('Address of the archive') })),
        ),
      ),
      links: described('Links to files', Type.Array(linkSchema)),
    }),
  ),
  evidences: optional(
    described(
      'Evidence of the release',
      Type.Array(
        Type.Object({
          sha: text('SHA-256 of the evidence'),
          filepath: text('Address of the evidence'),
          collected_at: DateTime('When the evidence was collected'),
        }),
      ),
    ),
  ),
  _links: described(
    'Addresses of this object and what belongs to it',
    Type.Object({
      closed_issues_url: optional(text('Address of the list of closed issues')),
      closed_merge_requests_url: optional(text('Address of the list of closed merge requests')),
      edit_url: optional(text('Address of the form that edits it')),
      merged_merge_requests_url: optional(text('Address of the list of merged merge requests')),
      opened_issues_url: optional(text('Address of the list of open issues')),
      opened_merge_requests_url: optional(text('Address of the list of open merge requests')),
      self: optional(text('Address of this object in the API')),
    }),
  ),
}

const schema = Type.Object(fields)

interface Loaded {
  readonly projects: ReadonlyMap<number, ProjectWithRole>
  readonly users: Awaited<ReturnType<typeof usersById>>
  readonly commits: ReadonlyMap<string, Commit>
  readonly links: ReadonlyMap<number, readonly LinkRow[]>
  readonly evidences: ReadonlyMap<number, readonly ListedEvidence[]>
  readonly milestones: Awaited<ReturnType<typeof milestonesOfReleases>>
  readonly stats: ReadonlyMap<number, IssueStats>
}

async function load(ctx: Context, rows: readonly ReleaseRow[]): Promise<Loaded> {
  const { db, actor } = ctx
  const ids = rows.map(({ id }) => id)
  const milestones = await milestonesOfReleases(db, ids)
  const projects = await projectsWithRoleById(db, actor, [...new Set(rows.map(row => row.project_id))])
  return {
    projects,
    users: await usersById(
      db,
      rows.flatMap(({ author_id }) => author_id ?? []),
    ),
    commits: await commitsOf(ctx, rows, projects),
    links: await linksOfReleases(db, ids),
    evidences: await evidencesOfReleases(db, ids),
    milestones,
    stats: await issueStatsOf(db, actor, [...new Set([...milestones.values()].flatMap(of => of.map(({ milestone }) => milestone.id)))]),
  }
}

/** Loads the commits of releases: one read for each repository. */
async function commitsOf({ deps }: Context, rows: readonly ReleaseRow[], projects: Loaded['projects']): Promise<Loaded['commits']> {
  const found = [...Map.groupBy(rows, row => row.project_id)].map(async ([projectId, inProject]) => {
    const project = projects.get(projectId)
    const repository = project && (await findRepository(deps.storages, project))
    const ids = [...new Set(inProject.flatMap(({ sha }) => sha ?? []))]
    return repository ? readCommits(repository, ids) : []
  })
  return new Map((await Promise.all(found)).flat().flatMap(commit => (commit ? [[commit.id, commit] as const] : [])))
}

function present(row: ReleaseRow, loaded: Loaded, facts: Facts): Static<typeof schema> {
  const project = loaded.projects.get(row.project_id) as ProjectWithRole
  const may = (ability: Ability) => allows(facts.actor, ability, projectSubject(project)) === 'yes'
  const [mayReadCode, mayReadMilestones] = [may('read_code'), may('read_milestone')]
  const author = row.author_id === null ? undefined : loaded.users.get(row.author_id)
  const links = loaded.links.get(row.id) ?? []
  const sources = mayReadCode ? sourcesOf(facts.url, project, row.tag) : []
  const milestones = mayReadMilestones ? (loaded.milestones.get(row.id) ?? []) : []
  const commit = row.sha === null ? undefined : loaded.commits.get(row.sha)
  const released_at = new Date(row.released_at)
  return {
    // Contract: the name, which is often the tag's, is shown to users who may read the code (releases API).
    name: mayReadCode ? (row.name ?? row.tag) : `Release-${row.id}`,
    description: row.description,
    created_at: row.created_at,
    released_at: row.released_at,
    upcoming_release: released_at > facts.now,
    ...(author && { author: presentSummary(author, facts) }),
    ...(milestones.length > 0 && {
      milestones: milestones.map(({ milestone }) => ({
        ...presentMilestone(milestone, facts),
        issue_stats: loaded.stats.get(milestone.id) ?? { total: 0, closed: 0 },
      })),
    }),
    assets: {
      count: sources.length + links.length,
      ...(mayReadCode && { sources }),
      links: links.map(link => presentLink(link, facts)),
    },
    ...(mayReadCode && {
      tag_name: row.tag,
      commit: commit ? presentCommit(commit, project, facts) : null,
      ...(commit && { commit_path: `/${project.full_path}/-/commit/${commit.id}` }),
      tag_path: `/${project.full_path}/-/tags/${encodeURIComponent(row.tag)}`,
      evidences: (loaded.evidences.get(row.id) ?? []).map(({ id, sha, collected_at }) => ({
        sha,
        filepath: `${releaseUrl(facts.url, project, row.tag)}/evidences/${id}.json`,
        collected_at,
      })),
    }),
    _links: mayReadCode ? pagesOf(row, project, facts, may('update_release')) : {},
  }
}

/** The pages of a release. */
function pagesOf({ tag }: ReleaseRow, project: ProjectWithRole, { url }: Facts, mayEdit: boolean) {
  const self = releaseUrl(url, project, tag)
  const list = (noun: 'issues' | 'merge_requests', state: string) =>
    `${url}/${project.full_path}/-/${noun}?${new URLSearchParams({ release_tag: tag, scope: 'all', state })}`
  return {
    closed_issues_url: list('issues', 'closed'),
    closed_merge_requests_url: list('merge_requests', 'closed'),
    ...(mayEdit && { edit_url: `${self}/edit` }),
    merged_merge_requests_url: list('merge_requests', 'merged'),
    opened_issues_url: list('issues', 'opened'),
    opened_merge_requests_url: list('merge_requests', 'opened'),
    self,
  }
}

export const Release = entity({ name: 'Release', schema, load, present })

interface LoadedWithHtml extends Loaded {
  readonly html: ReadonlyMap<number, string>
}

/** The descriptions of releases of one project as HTML, by release; references are resolved for all of them together. */
async function descriptionsOf(ctx: Context, rows: readonly ReleaseRow[], project: ProjectWithRole): Promise<Map<number, string>> {
  const described = rows.flatMap(({ id, description }) => (description === null ? [] : [{ id, description }]))
  const read = await Promise.all(described.map(({ description }) => readMarkdown(description)))
  const references = read.flatMap(facts => facts.references)
  const links = references.length === 0 ? new Map() : await linksOf(ctx, project, references)
  const html = described.map(async ({ id, description }) => [id, await renderMarkdown(description, async () => links)] as const)
  return new Map(await Promise.all(html))
}

/** A release with its description as HTML (`include_html_description`); all of one project. */
export const ReleaseWithHtml = entity({
  name: 'ReleaseWithHtml',
  schema: Type.Object({ ...fields, description_html: Nullable(text('Description as HTML; null where there is none')) }),
  async load(ctx, rows: readonly ReleaseRow[]): Promise<LoadedWithHtml> {
    const loaded = await load(ctx, rows)
    const [project] = loaded.projects.values()
    return { ...loaded, html: await descriptionsOf(ctx, rows, project as ProjectWithRole) }
  },
  present: (row: ReleaseRow, loaded: LoadedWithHtml, facts) => ({
    ...present(row, loaded, facts),
    description_html: loaded.html.get(row.id) ?? null,
  }),
})
