/** What people choose from for an issue: labels, milestones, members. */
import { usersMatching } from '../../identity/users/queries.ts'
import { epicsAbove } from '../../planning/epics/queries.ts'
import { listProjectIssues } from '../../planning/issues/lists/endpoints.ts'
import { iterationsMatching } from '../../planning/iterations/queries.ts'
import { labelsIn } from '../../planning/labels/queries.ts'
import { milestonesMatching } from '../../planning/milestones/queries.ts'
import { roles } from '../../platform/access/open_to.ts'
import { containing } from '../../platform/db/statements/like.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { withParameter } from '../../platform/pages/lists.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import { memberPlaceOfProject } from '../../spaces/members/scope.ts'
import { type PlanningPlace, placeOfProject } from '../../spaces/places/places.ts'
import { listProjects } from '../../spaces/projects/endpoints.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'

type Choices = NonNullable<FieldSpec['choices']>

/** The choice of nothing. */
const none = ['0', 'None'] as const

/** Choices of each kind that are listed; more are found by their names. */
const MOST = 200

/** What the address asks choices for by their names. */
export const searchOf = ({ request }: Context): string =>
  (new URLSearchParams(request.address.split('?', 2)[1] ?? '').get('search') ?? '').slice(0, 255)

/** The address of the form's page, as it lists the first choices. */
const firstOf = ({ request }: Context): string => withParameter(request.address, 'search', undefined)

/** Choices as boxes of a form's page, which finds others by their names where these are only the first ones. `at`: the address of the page. */
export const moreOf = (ctx: Context, choices: Choices, at = firstOf(ctx)): Pick<FieldSpec, 'choices' | 'more'> => ({
  choices,
  ...(choices.length >= MOST || searchOf(ctx) !== '' ? { more: at } : {}),
})

/** One of some choices: a list that drops down, or radio buttons that are found by their names where there are more. */
export function oneOf(ctx: Context, choices: Choices, at?: string): Pick<FieldSpec, 'choices' | 'more' | 'control'> {
  const field = moreOf(ctx, choices, at)
  return { ...field, control: field.more === undefined ? 'select' : 'radio' }
}

/** A project as the place of labels and milestones. */
export const planningPlace: (project: ProjectWithRole) => PlanningPlace = placeOfProject

/** The labels of the project or group and the groups above it by name; `chosen` are among them whatever their number. */
export async function labelChoices(ctx: Context, place: PlanningPlace, chosen: readonly string[]): Promise<Choices> {
  const all = labelsIn(ctx.db, ctx.actor, place, {}).where('labels.name', 'ilike', containing(searchOf(ctx)))
  const rows = await all.orderBy('labels.name').orderBy('labels.id').limit(MOST).execute()
  const names = new Set(rows.map(({ name }) => name))
  return [
    ...chosen.filter(name => !names.has(name)).map(name => [name, name] as const),
    ...[...new Map(rows.map(row => [row.name, row])).values()].map(
      ({ name, description }) => [name, name, description ?? undefined] as const,
    ),
  ].map(([value, label, hint]) => (hint === undefined ? [value, label] : [value, label, hint]))
}

/** The open milestones of the project and its groups that the address asks for, after the one that is `chosen`. */
export async function milestoneChoices(ctx: Context, project: ProjectWithRole, chosen: number | null): Promise<Choices> {
  const rows = await milestonesMatching(ctx.db, planningPlace(project), { include_parent_milestones: true })
    .where(({ and, or, eb }) =>
      or([
        and([eb('milestones.state', '=', 'active'), eb('milestones.title', 'ilike', containing(searchOf(ctx)))]),
        eb('milestones.id', '=', chosen),
      ]),
    )
    .clearOrderBy()
    .orderBy(({ eb }) => eb('milestones.id', 'is not distinct from', chosen), 'desc')
    .orderBy('milestones.id', 'desc')
    .limit(MOST)
    .execute()
  return [none, ...rows.map(({ id, title }) => [String(id), title] as const)]
}

/** The iterations of the project's groups that are not over and that the address asks for, after the one that is `chosen`. */
export async function iterationChoices(ctx: Context, project: ProjectWithRole, chosen: number | null): Promise<Choices> {
  const today = ctx.now.toISOString().slice(0, 10)
  const rows = await iterationsMatching(ctx.db, planningPlace(project), { state: 'all', include_ancestors: true }, today)
    .where(({ and, or, eb }) =>
      or([
        and([eb('iterations.due_date', '>=', today), eb('iterations.title', 'ilike', containing(searchOf(ctx)))]),
        eb('iterations.id', '=', chosen),
      ]),
    )
    .clearOrderBy()
    .orderBy(({ eb }) => eb('iterations.id', 'is not distinct from', chosen), 'desc')
    .orderBy('iterations.due_date')
    .orderBy('iterations.id')
    .limit(MOST)
    .execute()
  return [none, ...rows.map(({ id, title, start_date, due_date }) => [String(id), title, `${start_date} to ${due_date}`] as const)]
}

/** The open epics of the project's groups that the address asks for, the latest first, after the one that is `chosen`. */
export async function epicChoices(ctx: Context, project: ProjectWithRole, chosen: number | null): Promise<Choices> {
  const rows = await epicsAbove(ctx.db, ctx.actor, planningPlace(project).above)
    .where(({ and, or, eb }) =>
      or([and([eb('epics.state', '=', 'opened'), eb('epics.title', 'ilike', containing(searchOf(ctx)))]), eb('epics.id', '=', chosen)]),
    )
    .clearOrderBy()
    .orderBy(({ eb }) => eb('epics.id', 'is not distinct from', chosen), 'desc')
    .orderBy('epics.id', 'desc')
    .limit(MOST)
    .execute()
  return [none, ...rows.map(({ id, iid, title }) => [String(id), `&${iid} ${title}`] as const)]
}

/** The members of the project, and those that are `chosen`. */
export async function memberChoices(
  ctx: Context,
  project: ProjectWithRole,
  chosen: readonly { id: number; name: string; username: string }[],
): Promise<Choices> {
  const query = searchOf(ctx)
  const rows = await allMembersOf(ctx.db, memberPlaceOfProject(project), query === '' ? {} : { query })
    .limit(MOST)
    .execute()
  const people = new Map([...chosen, ...rows].map(person => [person.id, person]))
  return [...people.values()].map(({ id, name, username }) => [String(id), name, `@${username}`] as const)
}

/** What is suggested while one types, at a time. */
const SUGGESTED = 10

type Suggestions = NonNullable<FieldSpec['suggested']>

/** Accounts with what the address asks for in their names. No words find nobody. */
export async function suggestedAccounts(ctx: Context): Promise<Suggestions> {
  const search = searchOf(ctx).trim().replace(/^@/, '')
  if (search === '') return []
  const users = usersMatching(ctx.db, { search, active: true, exclude_internal: true, order_by: 'name', sort: 'asc' }, false)
  return (await users.limit(SUGGESTED).execute()).map(({ username, name }) => [username, name])
}

/** Other issues of the project with what the address asks for in their titles: their references, and the titles. */
export async function suggestedIssues(ctx: Context & { readonly issue: { readonly iid: number } }): Promise<Suggestions> {
  const search = searchOf(ctx).trim()
  if (search === '') return []
  const { rows } = await answerOf(ctx, listProjectIssues, { search, in: 'title', per_page: SUGGESTED })
  const issues = (rows as readonly { readonly iid: number; readonly title: string }[]).filter(({ iid }) => iid !== ctx.issue.iid)
  return issues.map(({ iid, title }) => [`#${iid}`, title])
}

/** Projects in which the caller may plan, with what the address asks for in their paths. */
export async function suggestedProjects(ctx: Context): Promise<Suggestions> {
  const search = searchOf(ctx).trim()
  if (search === '') return []
  const asked = { search, search_namespaces: 'true', simple: 'true', min_access_level: roles.reporter, per_page: SUGGESTED }
  const { rows } = await answerOf(ctx, listProjects, asked)
  return (rows as readonly { readonly path_with_namespace: string }[]).map(({ path_with_namespace }) => path_with_namespace)
}
