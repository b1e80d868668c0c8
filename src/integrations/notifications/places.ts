/** Notifications about pipelines, projects and memberships. */
import { type PipelineRow, pipelineById } from '../../ci/pipelines/queries.ts'
import { usersById } from '../../identity/users/queries.ts'
import { type Ability, allows, roles } from '../../platform/access/abilities.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { roleName } from '../../platform/events/audit/entry.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { MailPart } from '../../platform/mail/content.ts'
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

const pipelineWords = { failed_pipeline: 'failed', fixed_pipeline: 'is fixed', success_pipeline: 'succeeded' } as const

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
      const words = pipelineWords[event]
      return {
        kind: 'pipeline',
        subject: `${project.name} | Pipeline ${words} for ${pipeline.ref} | ${pipeline.sha.slice(0, 8)}`,
        parts: [
          `Pipeline #${pipeline.id} ${words}.`,
          { facts: { Project: project.full_path, [pipeline.tag ? 'Tag' : 'Branch']: pipeline.ref, Commit: pipeline.sha.slice(0, 8) } },
          { action: 'View the pipeline', url: `${ctx.url}/${project.full_path}/-/pipelines/${pipeline.id}` },
        ],
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
        subject: `${project.name} | Project was moved`,
        parts: [
          `The project ${from} is now at ${project.full_path}.`,
          'Repositories that you cloned still work by its old path until another project takes it. Change them when you can:',
          `git remote set-url origin ${ctx.url}/${project.full_path}.git`,
          { action: 'View the project', url: `${ctx.url}/${project.full_path}` },
        ],
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
  readonly subject: (place: Named) => string
  readonly parts: (place: Named, actor: string) => readonly MailPart[]
  readonly reason: (place: Named) => string
}

/** A mail about a membership: to whom it is about, or who decides on it, whatever their levels. */
const aboutMembership = (ctx: Context, cause: Cause, { kind, to, subject, parts, reason }: AboutMembership): Promise<void> =>
  notify(ctx, happeningOf(cause, { named: to.map(id => [id, 'participating'] as const), always: true }), async () => {
    const place = await namedPlace(ctx, cause.place)
    if (!place) return undefined
    const actor = cause.actorId === null ? undefined : (await usersById(ctx.db, [cause.actorId])).get(cause.actorId)
    return {
      kind,
      subject: subject(place),
      parts: parts(place, actor?.name ?? 'Ingot'),
      about: place.about,
      thread: { id: `membership_${cause.id}`, follows: [] },
      headers: place.headers,
      what: place.noun,
      reason: reason(place),
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
    subject: ({ noun, full_path }) => `${isNew ? 'You are a member of' : 'Your role changed in'} the ${noun} ${full_path}`,
    parts: ({ noun, full_path, page }, actor) => [
      isNew ? `${actor} made you a member of the ${noun} ${full_path}.` : `${actor} changed your role in the ${noun} ${full_path}.`,
      { facts: { Role: roleName(access_level) } },
      { action: `View the ${noun}`, url: `${ctx.url}${page}` },
    ],
    reason: ({ noun }) => `You get this mail because your access to the ${noun} changed.`,
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
    subject: ({ noun, full_path }) => `Request for access to the ${noun} ${full_path}`,
    parts: ({ noun, full_path, membersPage }, actor) => [
      `${actor} asks to become a member of the ${noun} ${full_path}.`,
      { action: 'Decide on it', url: `${ctx.url}${membersPage}` },
    ],
    reason: ({ noun }) => `You get this mail because you decide who is a member of the ${noun}.`,
  })
}
