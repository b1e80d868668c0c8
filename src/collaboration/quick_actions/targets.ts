/** Who may use quick actions, and how the names in their arguments become rows. */
import { sql } from 'kysely'
import { type EpicRow, visibleEpicById } from '../../planning/epics/queries.ts'
import type { IssueRow } from '../../planning/issues/queries.ts'
import { findIssue } from '../../planning/issues/scope.ts'
import { labelsByName } from '../../planning/labels/queries.ts'
import { type Ability, type AbilitySubject, allows } from '../../platform/access/abilities.ts'
import { anyOf } from '../../platform/db/any.ts'
import { notFound, Refusal } from '../../platform/kernel/errors.ts'
import type { MergeRequestRow } from '../../review/merge_requests/queries.ts'
import { findMergeRequest } from '../../review/merge_requests/scope.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { groupPlaceOf, type PlanningPlace } from '../../spaces/places/places.ts'
import { planningPlaceOf } from '../../spaces/places/project_places.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { splitAtReferences } from '../markdown/references.ts'
import { subjectOf } from '../notes/noteable.ts'
import type { Noun, ProjectNoun, Target, Things } from './action.ts'

/** Where names in arguments are looked for, in projects. */
type Where = Pick<Target<ProjectNoun>, 'ctx' | 'place'>

/** What there is to know of a kind of thing: the abilities that its change and its planning ask, of whom, and whose labels it has. */
interface Kind<N extends Noun> {
  readonly update: Ability
  readonly plan: Ability
  subject(place: Things[N]['place']): AbilitySubject
  labels(place: Things[N]['place']): Pick<PlanningPlace, 'key' | 'above'>
}

const inProject = { subject: projectSubject, labels: planningPlaceOf }

const kinds: { readonly [N in Noun]: Kind<N> } = {
  issue: { update: 'update_issue', plan: 'admin_issue', ...inProject },
  merge_request: { update: 'update_merge_request', plan: 'admin_merge_request', ...inProject },
  epic: { update: 'admin_epic', plan: 'admin_epic', subject: groupSubject, labels: groupPlaceOf },
}

const kindOf = <N extends Noun>(noun: N): Kind<N> => kinds[noun]

/** May the actor change the thing's own text and state? Whoever creates one may. */
export const mayUpdate = ({ ctx, noun, talked }: Target): boolean =>
  talked === undefined || allows(ctx.actor, kinds[noun].update, subjectOf(talked, talked.isOwn)) === 'yes'

/** May the actor plan with it: labels, people, dates, time? */
export function mayPlan<N extends Noun>({ ctx, noun, place }: Target<N>): boolean {
  const { plan, subject } = kindOf(noun)
  return allows(ctx.actor, plan, subject(place)) === 'yes'
}

/** Is the actor somebody in person, who can subscribe, react and approve? */
export const isSomebody = ({ ctx }: Pick<Target, 'ctx'>): boolean => ctx.actor.user !== undefined

/** The same for what belongs to the paid tiers. */
export const onPremium = (target: Target<'issue'>): boolean => target.ctx.tier !== 'free' && mayPlan(target)
export const onUltimate = <N extends Noun>(target: Target<N>): boolean => target.ctx.tier === 'ultimate' && mayPlan(target)

/** The things of one kind that an argument names, without their signs and quotes; words without a sign too. */
export function namesIn(argument: string, kind: 'label' | 'milestone' | 'user'): string[] {
  const sign = { label: '~', milestone: '%', user: '@' }[kind]
  return splitAtReferences(argument).flatMap(piece => {
    if (typeof piece === 'string') return [...piece.matchAll(/"([^"]+)"|[^\s,]+/g)].map(([word, quoted]) => quoted ?? word)
    return piece.kind === kind ? [piece.name] : [piece.text.startsWith(sign) ? piece.text.slice(1) : piece.text]
  })
}

/** The labels that serve in the project or group, of those that an argument names. */
export async function labelsNamed<N extends Noun>(
  { ctx, noun, place }: Target<N>,
  argument: string,
): Promise<{ id: number; name: string }[]> {
  const names = namesIn(argument, 'label')
  if (names.length === 0) return []
  const ids = [...(await labelsByName(ctx.db, kindOf(noun).labels(place), names)).values()]
  return ctx.db.selectFrom('labels').select(['id', 'name']).where('id', '=', anyOf(ids)).orderBy('name').execute()
}

/** The ids of the people that an argument names; `me` is the actor. */
export async function peopleNamed({ ctx }: Pick<Target, 'ctx'>, argument: string): Promise<number[]> {
  const names = namesIn(argument, 'user').map(name => name.toLowerCase())
  const me = ctx.actor.user
  const found = await ctx.db.selectFrom('users').select('id').where(sql<boolean>`lower(username) = any(${names})`).orderBy('id').execute()
  return [...new Set([...(me && names.includes('me') ? [me.id] : []), ...found.map(({ id }) => id)])]
}

/** The id of the milestone of that title which serves in the project: its own, or one of a group above. Without a sign, all is its title. */
export async function milestoneNamed({ ctx, place }: Where, argument: string): Promise<number | undefined> {
  const [title] = /[%"]/.test(argument) ? namesIn(argument, 'milestone') : [argument.trim()]
  if (title === undefined) return undefined
  const { key, above } = planningPlaceOf(place)
  const found = await ctx.db
    .selectFrom('milestones')
    .select('id')
    .where('title', '=', title)
    .where(({ or, eb }) => or([eb('project_id', '=', key.project_id), eb('namespace_id', '=', anyOf(above))]))
    .orderBy('id')
    .executeTakeFirst()
  return found?.id
}

/** The iteration of a group above that an argument names: `*iteration:12`, `*iteration:"Title"`. */
export async function iterationNamed({ ctx, place }: Target<'issue'>, argument: string): Promise<number | undefined> {
  const [, id, quoted, word] = argument.match(/^\*iteration:(?:(\d{1,18})|"([^"]+)"|(\S+))$/) ?? []
  const title = quoted ?? word
  if (id === undefined && title === undefined) return undefined
  const found = await ctx.db
    .selectFrom('iterations')
    .select('id')
    .where('namespace_id', '=', anyOf(planningPlaceOf(place).above))
    .where(id === undefined ? 'title' : 'id', '=', (id === undefined ? title : Number(id)) as never)
    .executeTakeFirst()
  return found?.id
}

/** The issue that an argument names, `#3` or `group/project#3`, with its project, as far as the actor may know of it. */
export async function issueNamed(
  { ctx, place }: Where,
  argument: string,
): Promise<{ project: ProjectWithRole; issue: IssueRow } | undefined> {
  const [piece] = splitAtReferences(argument)
  if (typeof piece !== 'object' || piece.kind !== 'issue') return undefined
  return known(async () => {
    const project = piece.place === undefined ? place : await findProject(ctx.db, ctx.actor, inNeighbourhood(place, piece.place))
    return { project, issue: await findIssue(ctx, project, Number(piece.name)) }
  })
}

/** The same for a merge request, `!3` or `group/project!3`. */
export async function mergeRequestNamed(
  { ctx, place }: Where,
  argument: string,
): Promise<{ project: ProjectWithRole; mergeRequest: MergeRequestRow } | undefined> {
  const [piece] = splitAtReferences(argument)
  if (typeof piece !== 'object' || piece.kind !== 'merge_request') return undefined
  return known(async () => {
    const project = piece.place === undefined ? place : await findProject(ctx.db, ctx.actor, inNeighbourhood(place, piece.place))
    if (allows(ctx.actor, 'read_merge_request', projectSubject(project)) !== 'yes') throw notFound('Merge Request')
    return { project, mergeRequest: await findMergeRequest(ctx, project, Number(piece.name)) }
  })
}

/** The full path that a place in a reference means: a name alone is a neighbour in the same group. */
const inNeighbourhood = (project: ProjectWithRole, place: string): string =>
  place.includes('/') ? place : `${project.namespace_full_path}/${place}`

/** What `find` finds, or undefined where it refuses because nothing is there for this actor. */
async function known<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_found') return undefined
    throw error
  }
}

/**
 * The epic that an argument names, `&3` or `group&3`, as far as the actor may know of it; alone it is of the project's group, or of the
 * group itself.
 */
export async function epicNamed({ ctx, place }: Pick<Target, 'ctx' | 'place'>, argument: string): Promise<EpicRow | undefined> {
  const [piece] = splitAtReferences(argument)
  if (typeof piece !== 'object' || piece.kind !== 'epic') return undefined
  const here = 'namespace_full_path' in place ? place.namespace_full_path : place.full_path
  const found = await ctx.db
    .selectFrom('epics')
    .innerJoin('routes', 'routes.namespace_id', 'epics.namespace_id')
    .select('epics.id')
    .where(sql<boolean>`lower(routes.path) = lower(${piece.place ?? here})`)
    .where('epics.iid', '=', Number(piece.name))
    .executeTakeFirst()
  return found && visibleEpicById(ctx.db, ctx.actor, found.id, here)
}
