/** Atom feeds: what was done somewhere, and lists of a project and of one's own, at their well-known addresses. */
import type { Static } from 'typebox'
import { commitsMatching } from '../../code/repository/commits/queries.ts'
import { inRepositoryPage } from '../../code/repository/scope.ts'
import { listReleases } from '../../delivery/releases/endpoints.ts'
import { listRepositoryTags } from '../../delivery/tags/endpoints.ts'
import { showsActivity } from '../../identity/users/activity/private_profile.ts'
import { userByUsername } from '../../identity/users/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { listIssues, listProjectIssues } from '../../planning/issues/lists/endpoints.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, type Endpoint, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { listProjectMergeRequests } from '../../review/merge_requests/lists/endpoints.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { findProject } from '../../spaces/projects/scope.ts'
import { noteTarget, targets } from '../feed/activity_view.ts'
import { FeedEntry } from '../feed/entity.ts'
import { type FeedOf, feedMatching } from '../feed/queries.ts'
import { commitPage, revisionPage } from '../repository/addresses.ts'
import { inRevisionPage } from '../repository/scope.ts'
import { type AtomEntry, type AtomFeed, atomDocument, MOST_ENTRIES } from './atom.ts'
import { atomFeeds } from './dialect.ts'

const ATOM = 'application/atom+xml'

const tokenParam = { feed_token: optional(text("The caller's feed token, in place of another credential", { maxLength: 200 })) }

/** The document of a feed that shows what the page `path` does. */
function answer(ctx: Context, { path, ...feed }: Pick<AtomFeed, 'title' | 'entries'> & { readonly path: string }): ByteAnswer {
  const self = ctx.request.address.replace(/([?&])feed_token=[^&]*&?/, '$1').replace(/[?&]$/, '')
  return { body: atomDocument({ ...feed, href: `${ctx.url}${path}`, self: `${ctx.url}${self}`, now: ctx.now }) }
}

/** An id that stays the same when the instance gets another address. */
const tagOf = ({ url }: Context, what: string): string => `tag:${new URL(url).hostname},2021:${what}`

type Entry = Static<typeof FeedEntry.schema>

/** What an entry of activity says, and where it leads. */
function activityEntry(ctx: Context, entry: Entry, place: { readonly full_path: string; readonly full_name: string }): AtomEntry {
  const { author, action_name, note, push_data: push, target_type: type } = entry
  const says = (what: string) => `${author.name} ${action_name} ${what} at ${place.full_name}`
  const common = {
    id: tagOf(ctx, `Event/${entry.id}`),
    updated: entry.created_at,
    author: { name: author.name },
  }
  if (note) {
    const { path, name } = noteTarget(entry, note, place)
    return { ...common, title: says(name), href: `${ctx.url}${path}`, summary: note.body }
  }
  if (push) {
    const href = push.commit_to === null || push.ref === null ? `/${place.full_path}` : revisionPage(place, 'commits', push.ref)
    const what = push.ref === null ? `${push.ref_count ?? 'several'} references` : `${push.ref_type} ${push.ref}`
    return { ...common, title: says(what), href: `${ctx.url}${href}`, summary: push.commit_title ?? undefined }
  }
  const target = type === null ? undefined : targets[type]
  if (!target) return { ...common, title: says('project'), href: `${ctx.url}/${place.full_path}` }
  return {
    ...common,
    title: says(`${target.noun} ${target.sigil}${entry.target_iid}: ${entry.target_title}`),
    href: `${ctx.url}/${place.full_path}/-/${target.page}/${entry.target_iid}`,
  }
}

/** The newest entries of a feed. A fixed number of statements. */
async function activityEntries(ctx: Context, of: FeedOf): Promise<readonly AtomEntry[]> {
  const rows = await feedMatching(ctx.db, ctx.actor, of, {}).limit(MOST_ENTRIES).execute()
  const entries = (await presentAll(FeedEntry, ctx, rows)) as readonly Entry[]
  const places = await projectsById(ctx.db, [...new Set(rows.map(({ project_id }) => project_id))])
  return entries.flatMap(entry => {
    const place = places.get(entry.project_id)
    return place ? [activityEntry(ctx, entry, place)] : []
  })
}

/** Whose feed an address names. */
interface FeedPlace {
  readonly title: string
  readonly path: string
  /** Undefined for a profile that hides what its owner does. */
  readonly of: FeedOf | undefined
}

async function placeAt({ db, actor }: Context, path: string): Promise<FeedPlace> {
  const group = /^\d+$/.test(path) ? undefined : await visibleGroup(db, actor, path)
  if (group) return { title: `${group.full_name} activity`, path: `/groups/${group.full_path}`, of: { groupId: group.id } }
  if (path.includes('/')) {
    const project = await findProject(db, actor, path)
    return { title: `${project.full_name} activity`, path: `/${project.full_path}`, of: { projectId: project.id } }
  }
  const user = await userByUsername(db, path)
  if (user?.state !== 'active') throw notFound()
  const { id, name, username } = user
  return { title: `${name} activity`, path: `/${username}`, of: showsActivity(actor, user) ? { authorId: id } : undefined }
}

/** `:place_path` becomes the project, group or account whose activity the caller may see, or 404. */
const inFeedPlace = within(inInstance, {
  name: 'inFeedPlace',
  path: { place_path: text('Full path of a project or group, or a username') },
  load: async (ctx, { place_path }) => ({ place: await placeAt(ctx, place_path) }),
})

export const placeFeed = endpoint({
  route: 'GET /:place_path.atom',
  summary: 'Show as a feed what was done in a project or group, or by a user',
  scope: inFeedPlace,
  can: 'read_instance',
  dialect: atomFeeds,
  params: tokenParam,
  answers: bytes(ATOM),
  run: async ctx => answer(ctx, { ...ctx.place, entries: ctx.place.of ? await activityEntries(ctx, ctx.place.of) : [] }),
})

export const ownProjectsFeed = endpoint({
  route: 'GET /dashboard/projects.atom',
  summary: 'Show as a feed what was done in one’s projects',
  scope: inSelf,
  can: 'update_own',
  dialect: atomFeeds,
  params: tokenParam,
  answers: bytes(ATOM),
  run: async ctx =>
    answer(ctx, { title: 'Activity', path: '/dashboard/activity', entries: await activityEntries(ctx, { memberId: ctx.user.id }) }),
})

/** An issue or merge request as lists answer it. */
interface Item {
  readonly title: string
  readonly web_url: string
  readonly updated_at: string
  readonly description: string | null
  readonly author: { readonly name: string }
}

const itemEntry = ({ title, web_url, updated_at, author, description }: Item): AtomEntry => ({
  id: web_url,
  title,
  href: web_url,
  updated: updated_at,
  author: { name: author.name },
  summary: description ?? undefined,
})

const filters = {
  ...tokenParam,
  state: optional(text('Only items in this state', { maxLength: 20 })),
  search: optional(text('Words of the title or the description', { maxLength: 255 })),
  labels: optional(text('Names of labels that they all have, with commas between', { maxLength: 1024 })),
}

/** What a list of the API answers to the parameters that are given. */
async function itemsOf(ctx: Context, list: Endpoint, params: Readonly<Record<string, unknown>>): Promise<readonly AtomEntry[]> {
  const { feed_token: _token, ...given } = params
  const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return ((await answerOf(ctx, list, { ...wanted, per_page: MOST_ENTRIES })).rows as Item[]).map(itemEntry)
}

export const ownIssuesFeed = endpoint({
  route: 'GET /dashboard/issues.atom',
  summary: 'Show as a feed the issues that are assigned to one',
  scope: inSelf,
  can: 'update_own',
  dialect: atomFeeds,
  params: filters,
  answers: bytes(ATOM),
  run: async ctx =>
    answer(ctx, {
      title: 'Issues',
      path: '/dashboard/issues',
      entries: await itemsOf(ctx, listIssues, { state: 'opened', ...ctx.params, scope: 'assigned_to_me' }),
    }),
})

/** A feed of a list of a project. */
const listFeed = (name: 'issues' | 'merge_requests', what: string, list: Endpoint, can: Ability) =>
  endpoint({
    route: `GET /:project_path/-/${name}.atom`,
    summary: `Show as a feed the ${what} of a project`,
    scope: inProjectPage,
    can: can as 'read_issue',
    dialect: atomFeeds,
    params: filters,
    answers: bytes(ATOM),
    run: async ctx =>
      answer(ctx, {
        title: `${ctx.project.full_name} ${what}`,
        path: `/${ctx.project.full_path}/-/${name}`,
        entries: await itemsOf(ctx, list, { state: 'opened', ...ctx.params }),
      }),
  })

export const issuesFeed = listFeed('issues', 'issues', listProjectIssues, 'read_issue')
export const mergeRequestsFeed = listFeed('merge_requests', 'merge requests', listProjectMergeRequests, 'read_merge_request')

export const commitsFeed = endpoint({
  route: 'GET /:project_path/-/commits.atom/*revision_path',
  summary: 'Show as a feed the commits of a revision, or those that changed a path',
  scope: inRevisionPage,
  can: 'read_code',
  cost: 'walk',
  dialect: atomFeeds,
  params: tokenParam,
  answers: bytes(ATOM),
  async run(ctx) {
    const { project, repository, revision } = ctx
    const matching = await commitsMatching(repository, project, { ref_name: revision.commit, path: revision.path })
    const entries = (await matching.slice(0, MOST_ENTRIES, Promise.resolve(MOST_ENTRIES))).map(
      ({ commit: { id, title, message, author, committer } }) => {
        const href = `${ctx.url}${commitPage(project, id)}`
        return { id: href, title, href, updated: committer.date, author, summary: message }
      },
    )
    return answer(ctx, {
      title: `${project.full_name}:${revision.ref} commits`,
      path: revisionPage(project, 'commits', revision.ref, revision.path),
      entries,
    })
  },
})

interface ShownTag {
  readonly name: string
  readonly message: string | null
  readonly commit: { readonly title: string; readonly committed_date: string; readonly author_name: string } | null
}

export const tagsFeed = endpoint({
  route: 'GET /:project_path/-/tags.atom',
  summary: 'Show as a feed the tags of a project',
  scope: inRepositoryPage,
  can: 'read_code',
  cost: 'walk',
  dialect: atomFeeds,
  params: tokenParam,
  answers: bytes(ATOM),
  async run(ctx) {
    const { project } = ctx
    const { rows } = await answerOf(ctx, listRepositoryTags, { per_page: MOST_ENTRIES })
    const entries = (rows as ShownTag[]).flatMap(({ name, message, commit }) => {
      const href = `${ctx.url}${revisionPage(project, 'tree', name)}`
      if (!commit) return []
      return [
        {
          id: href,
          title: name,
          href,
          updated: commit.committed_date,
          author: { name: commit.author_name },
          summary: message || commit.title,
        },
      ]
    })
    return answer(ctx, { title: `${project.full_name} tags`, path: `/${project.full_path}/-/tags`, entries })
  },
})

interface ShownRelease {
  readonly name: string
  readonly tag_name: string
  readonly description: string | null
  readonly released_at: string
  readonly author: { readonly name: string } | null
}

export const releasesFeed = endpoint({
  route: 'GET /:project_path/-/releases.atom',
  summary: 'Show as a feed the releases of a project',
  scope: inProjectPage,
  can: 'read_release',
  dialect: atomFeeds,
  params: tokenParam,
  answers: bytes(ATOM),
  async run(ctx) {
    const { project } = ctx
    const { rows } = await answerOf(ctx, listReleases, { per_page: MOST_ENTRIES })
    const entries = (rows as ShownRelease[]).map(({ name, tag_name, description, released_at, author }) => {
      const href = `${ctx.url}/${project.full_path}/-/releases/${encodeURIComponent(tag_name)}`
      return {
        id: href,
        title: name,
        href,
        updated: released_at,
        author: { name: author?.name ?? project.full_name },
        summary: description ?? undefined,
      }
    })
    return answer(ctx, { title: `${project.full_name} releases`, path: `/${project.full_path}/-/releases`, entries })
  },
})
