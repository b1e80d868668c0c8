/** Projects and groups as planning places, by the addresses of their pages: what both have (labels, iterations) has the same pages in both. */
import type { TextHome } from '../../collaboration/markdown/links.ts'
import { type Ability, type AbilitySubject, allows } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { type InPlanningPlace, placeOfGroup, placeOfProject } from '../../spaces/places/places.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'

/** A group with the caller's role in it. */
export type GroupWithRole = GroupRow & { readonly role: number }

/** What the scope of a page gives that stands in a project or in a group: one of both. */
export interface InEither {
  readonly project?: ProjectWithRole | undefined
  readonly group?: GroupWithRole | undefined
}

export const inPlanningProjectPage = within(inProjectPage, {
  name: 'inProjectPage',
  path: {},
  load: async ({ project }): Promise<InPlanningPlace> => ({ place: placeOfProject(project) }),
})

export const inPlanningGroupPage = within(inGroupPage, {
  name: 'inGroupPage',
  path: {},
  load: async ({ group }): Promise<InPlanningPlace> => ({ place: placeOfGroup(group) }),
})

/** Calls one function or the other: of a project, or of a group. */
function either<Result>(
  { project, group }: InEither,
  ofProject: (project: ProjectWithRole) => Result,
  ofGroup: (group: GroupWithRole) => Result,
): Result {
  if (project) return ofProject(project)
  if (group) return ofGroup(group)
  throw new Error('a page of a project or group is in neither')
}

/** The address of a page of the project or group. Pure. */
export const eitherPath = (subjects: InEither, rest = ''): string =>
  either(
    subjects,
    project => projectPath(project, rest),
    group => groupPath(group, rest),
  )

/** The project or group as the place of a page. `tab`: the key of its tab. */
export const eitherPlace = (actor: Actor, subjects: InEither, tab: string): Place =>
  either(
    subjects,
    project => projectPlace(actor, project, tab),
    group => groupPlace(actor, group, tab),
  )

const subjectOf = (subjects: InEither): AbilitySubject => either<AbilitySubject>(subjects, projectSubject, groupSubject)

/** May the caller do this in the project or group? */
export const mayHere = (ctx: Pick<Context, 'actor'> & InEither, ability: Ability): boolean =>
  allows(ctx.actor, ability, subjectOf(ctx)) === 'yes'

/** Where the texts of the project or group stand. */
export const eitherHome = (subjects: InEither): TextHome =>
  either<TextHome>(
    subjects,
    project => project,
    group => ({ group }),
  )
