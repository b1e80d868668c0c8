/** Notifications about pipelines, projects and memberships. */
import { type PipelineRow, pipelineById } from '../../ci/pipelines/queries.ts'
import { usersById } from '../../identity/users/queries.ts'
import { type Ability, allows, roles } from '../../platform/access/abilities.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Noun } from '../../platform/mail/words/catalogue.ts'
import type { Words } from '../../platform/mail/words/words.ts'
import { type GroupRow, groupsById } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { accessLevelsAt, actorOf } from '../../spaces/members/access_levels.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import { groupPlaceOf } from '../../spaces/places/places.ts'
import { accessLevelsIn } from '../../spaces/projects/attributes/access_levels.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import type { Cause } from './items.ts'
import { groupHeaders, projectHeaders } from './subjects.ts'
import { type Happening, type Message, notify } from './write.ts'

/** The users among these who may do this in the project. Two statements. */
export async function allowedInProject(db: Db, project: ProjectRow, ability: Ability, ids: readonly number[]): Promise<number[]> {
  const levels = await accessLevelsIn(db, project, ids)
  return [...levels.values()]
    .filter(user => allows(actorOf(user), ability, projectSubject({ ...project, role: user.level })) === 'yes')
    .map(({ id }) => id)
}

/** The same of a group. */
export async function allowedInGroup(db: Db, group: GroupRow, ability: Ability, ids: readonly number[]): Promise<number[]> {
  const levels = await accessLevelsAt(db, { ...groupPlaceOf(group), ownerId: null }, ids)
  return [...levels.values()]
    .filter(user => allows(actorOf(user), ability, groupSubject({ ...group, role: user.level as never })) === 'yes')
    .map(({ id }) => id)
}

const projectById = async (db: Db, id: number): Promise<ProjectRow | undefined> => (await projectsById(db, [id])).get(id)
const groupById = async (db: Db, id: number): Promise<GroupRow | undefined> => (await groupsById(db, [id])).get(id)

const happeningOf = (cause: Cause, own: Partial<Happening>): Happening => ({
  key: `event:${cause.id}`,
  place: cause.place,
  actorId: cause.actorId,
  audience: 'named',
  events: [],
  named: [],
  labelIds: [],
  members: false,
  ...own,
})

/** Did the last pipeline of the reference before this one fail? */
async function followsFailure(db: Db, { id, project_id, ref, tag }: PipelineRow): Promise<boolean> {
  const before = await db
    .selectFrom('pipelines')
    .select('status')
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('id', '<', id)
    .where('status', 'in', ['success', 'failed'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return before?.status === 'failed'
}

const pipelineWords = { failed_pipeline: 'failed', fixed_pipeline: 'fixed', success_pipeline: 'succeeded' } as const

/** A pipeline ended: for the one whose it is, and for those who chose to hear of all. */
export async function pipelineEnded(ctx: Context, cause: Cause, pipelineId: number, status: string): Promise<void> {
  if (status !== 'failed' && status !== 'success') return
  const pipeline = await pipelineById(ctx.db, pipelineId)
  // Child pipelines are part of the one that started them.
  if (!pipeline || pipeline.source === 'parent_pipeline') return
  const event = status === 'failed' ? 'failed_pipeline' : (await followsFailure(ctx.db, pipeline)) ? 'fixed_pipeline' : 'success_pipeline'
  // Nobody ended it: the mail goes to the one who started it, too.
  const named = pipeline.user_id === null ? [] : [[pipeline.user_id, 'author'] as const]
  await notify(
    ctx,
    happeningOf(cause, { actorId: null, audience: 'everyone', events: [event], named }),
    async (): Promise<Message | undefined> => {
      const project = await projectById(ctx.db, pipeline.project_id)
      if (!project) return undefined
      const outcome = pipelineWords[event]
      const sha = pipeline.sha.slice(0, 8)
      return {
        kind: 'pipeline',
        says: ({ say }) => ({
          subject: say(`pipeline.${outcome}_subject`, { project: project.name, ref: pipeline.ref, sha }),
          parts: [
            say(`pipeline.${outcome}`, { id: String(pipeline.id) }),
            {
              facts: {
                [say('fact.project')]: project.full_path,
                [say(pipeline.tag ? 'fact.tag' : 'fact.branch')]: pipeline.ref,
                [say('fact.commit')]: sha,
              },
            },
            { action: say('pipeline.view'), url: `${ctx.url}/${project.full_path}/-/pipelines/${pipeline.id}` },
          ],
        }),
        about: { project_id: project.id, pipeline: true },
        thread: { id: `pipeline_${pipeline.id}_${cause.id}`, follows: [] },
        headers: {
          ...projectHeaders(ctx, project),
          'X-GitLab-Pipeline-Id': String(pipeline.id),
          'X-GitLab-Pipeline-Ref': pipeline.ref,
          'X-GitLab-Pipeline-Status': pipeline.status,
        },
        what: 'pipeline',
        readers: ids => allowedInProject(ctx.db, project, 'read_pipeline', ids),
      }
    },
  )
}

/** A project has another path. */
export async function projectMoved(ctx: Context, cause: Cause, projectId: number, from: string): Promise<void> {
  await notify(ctx, happeningOf(cause, { audience: 'members', members: true, events: ['moved_project'] }), async () => {
    const project = await projectById(ctx.db, projectId)
    return (
      project && {
        kind: 'moved_project',
        says: ({ say }) => ({
          subject: say('moved_project.subject', { project: project.name }),
          parts: [
            say('moved_project.moved', { from, to: project.full_path }),
            say('moved_project.clones'),
            `git remote set-url origin ${ctx.url}/${project.full_path}.git`,
            { action: say('place.view', { what: 'project' }), url: `${ctx.url}/${project.full_path}` },
          ],
        }),
        about: { project_id: project.id },
        thread: { id: `project_${project.id}_${cause.id}`, follows: [] },
        headers: projectHeaders(ctx, project),
        what: 'project',
        readers: ids => allowedInProject(ctx.db, project, 'read_project', ids),
      }
    )
  })
}

/** A group or project as mails name it. */
interface Named {
  readonly noun: 'group' | 'project'
  readonly full_path: string
  /** Of its page, after that of the instance. */
  readonly page: string
  readonly membersPage: string
  readonly about: Message['about']
  readonly headers: Readonly<Record<string, string>>
  readonly readers: Message['readers']
}

async function namedPlace(ctx: Context, place: Place): Promise<Named | undefined> {
  if ('project_id' in place) {
    const project = await projectById(ctx.db, place.project_id)
    return (
      project && {
        noun: 'project',
        full_path: project.full_path,
        page: `/${project.full_path}`,
        membersPage: `/${project.full_path}/-/project_members`,
        about: { project_id: project.id },
        headers: projectHeaders(ctx, project),
        readers: ids => allowedInProject(ctx.db, project, 'read_project', ids),
      }
    )
  }
  const group = await groupById(ctx.db, place.namespace_id)
  return (
    group && {
      noun: 'group',
      full_path: group.full_path,
      page: `/groups/${group.full_path}`,
      membersPage: `/groups/${group.full_path}/-/group_members`,
      about: { namespace_id: group.id },
      headers: groupHeaders(ctx, group),
      readers: ids => allowedInGroup(ctx.db, group, 'read_group', ids),
    }
  )
}

interface AboutMembership {
  readonly kind: string
  readonly to: readonly number[]
  readonly says: (words: Words, place: NamedInWords, actor: string) => ReturnType<Message['says']>
  readonly reason: 'membership.reason' | 'access_request.reason'
}

interface NamedInWords {
  readonly place: Named
  /** The values of texts that name it. */
  readonly named: { readonly what: Noun; readonly path: string }
}

/** A mail about a membership: to whom it is about, or who decides on it, whatever their levels. */
const aboutMembership = (ctx: Context, cause: Cause, { kind, to, says, reason }: AboutMembership): Promise<void> =>
  notify(ctx, happeningOf(cause, { named: to.map(id => [id, 'participating'] as const), always: true }), async () => {
    const place = await namedPlace(ctx, cause.place)
    if (!place) return undefined
    const user = cause.actorId === null ? undefined : (await usersById(ctx.db, [cause.actorId])).get(cause.actorId)
    const named = { what: place.noun, path: place.full_path }
    return {
      kind,
      says: words => says(words, { place, named }, user?.name ?? 'Ingot'),
      about: place.about,
      thread: { id: `membership_${cause.id}`, follows: [] },
      headers: place.headers,
      what: place.noun,
      reason: ({ say }) => say(reason, { what: place.noun }),
      readers: place.readers,
    }
  })

/** A user became a member, or has another role. */
export const memberChanged = (
  ctx: Context,
  cause: Cause,
  { user_id, access_level }: { readonly user_id: number; readonly access_level: number },
  isNew: boolean,
): Promise<void> =>
  aboutMembership(ctx, cause, {
    kind: 'membership',
    to: [user_id],
    says: ({ say, role }, { place, named }, name) => ({
      subject: say(isNew ? 'membership.added_subject' : 'membership.changed_subject', named),
      parts: [
        say(isNew ? 'membership.added' : 'membership.changed', { ...named, name }),
        { facts: { [say('fact.role')]: role(access_level) } },
        { action: say('place.view', named), url: `${ctx.url}${place.page}` },
      ],
    }),
    reason: 'membership.reason',
  })

/** Members that a request is mailed to. */
const MOST_DECIDING = 10

/** A user asked to become a member: for those who decide on it. */
export async function accessRequested(ctx: Context, cause: Cause): Promise<void> {
  const { db } = ctx
  const { place } = cause
  const project = 'project_id' in place ? await projectById(db, place.project_id) : undefined
  const group = 'namespace_id' in place ? await groupById(db, place.namespace_id) : undefined
  const where = project
    ? { key: place, above: project.namespace_traversal_ids, ownerId: project.namespace_owner_id }
    : group && { ...groupPlaceOf(group), ownerId: null }
  if (!where) return
  const deciding = await db
    .selectFrom(allMembersOf(db, { ...where, role: roles.none }).as('members'))
    .select('members.id')
    .where('members.access_level', '>=', project ? roles.maintainer : roles.owner)
    .orderBy('members.access_level', 'desc')
    .orderBy('members.id')
    .limit(MOST_DECIDING)
    .execute()
  await aboutMembership(ctx, cause, {
    kind: 'access_request',
    to: [...(where.ownerId === null ? [] : [where.ownerId]), ...deciding.map(({ id }) => id)],
    says: ({ say }, { place, named }, name) => ({
      subject: say('access_request.subject', named),
      parts: [
        say('access_request.asks', { ...named, name }),
        { action: say('access_request.action'), url: `${ctx.url}${place.membersPage}` },
      ],
    }),
    reason: 'access_request.reason',
  })
}
