/** Groups and projects in forms: named by their paths, those of the caller proposed. */

import { roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { withoutSlashes } from '../../platform/patterns/slashes.ts'
import { groupsMatching, isNumericId, visibleGroup } from '../../spaces/groups/queries.ts'
import { projectsMatching } from '../../spaces/projects/queries.ts'
import { projectAllowing } from '../../spaces/projects/scope.ts'

type Caller = Pick<Context, 'db' | 'actor'>

/** A form proposes this many; any other may be typed. */
const MOST = 200

/** The parameter of a form that takes a group. */
export const groupParam = { group: text('Full path of a group', { minLength: 1, maxLength: 1024, examples: ['group'] }) }

/** The parameter of a form that takes a project. */
export const projectParam = { project: text('Full path of a project', { minLength: 1, maxLength: 1024, examples: ['group/project'] }) }

/** Its field, which proposes the groups of the caller. */
export async function groupField({ db, actor }: Caller): Promise<FieldSpec> {
  const groups = await groupsMatching(db, actor, { min_access_level: roles.guest, order_by: 'path' }).limit(MOST).execute()
  return {
    name: 'group',
    label: 'Group',
    placeholder: 'group/subgroup',
    hint: 'Its full path.',
    autofocus: true,
    suggested: groups.map(({ full_path }) => full_path),
  }
}

/** Its field, which proposes the projects of the caller. */
export async function projectField({ db, actor }: Caller): Promise<FieldSpec> {
  const projects = await projectsMatching(db, actor, { membership: true, order_by: 'last_activity_at' }).limit(MOST).execute()
  return {
    name: 'project',
    label: 'Project',
    placeholder: 'group/project',
    hint: 'Its full path.',
    autofocus: true,
    suggested: projects.map(({ full_path }) => full_path),
  }
}

const pathOf = (typed: unknown): string => withoutSlashes(String(typed).trim())

/** The id of the group that was typed. @throws Refusal 400 at the field, where the caller sees none of this path */
export async function groupTyped({ db, actor }: Caller, typed: unknown): Promise<number> {
  const path = pathOf(typed)
  const group = isNumericId(path) ? undefined : await visibleGroup(db, actor, path)
  if (!group) throw invalid({ group: ['is not the path of a group that you can see'] })
  return group.id
}

/** The id of the project that was typed. @throws Refusal 400 at the field, where the caller sees none of this path */
export async function projectTyped(ctx: Caller, typed: unknown): Promise<number> {
  const path = pathOf(typed)
  const project = path.includes('/') ? await projectAllowing(ctx, path, 'read_project') : undefined
  if (!project) throw invalid({ project: ['is not the path of a project that you can see'] })
  return project.id
}
