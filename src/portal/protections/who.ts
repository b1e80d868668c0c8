/** Who may do something to what is protected, as fields of a form: a role, people, and groups. */
import { type RawBuilder, sql } from 'kysely'
import type { TProperties } from 'typebox'
import type { Allowed, LevelChange } from '../../code/protected_branches/level_changes.ts'
import { usersById } from '../../identity/users/queries.ts'
import { groupVisibleTo } from '../../platform/access/visible.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { CommaList, integer, OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import type { Values } from '../../platform/pages/forms/form.ts'
import { allMembersOf, type MemberPlace } from '../../spaces/members/queries.ts'
import { isCurrentShare } from '../../spaces/shares/queries.ts'
import { moreOf, searchOf } from '../issues/choices.ts'
import { levelChoices } from './levels.ts'

/** People and groups that are listed; more people are found by their names. */
const MOST = 200

/** Nobody but those who are named. */
const NONE = 0

/** A level as it is stored. */
export interface StoredLevel {
  readonly id: number
  readonly access_level: number
  readonly user_id: number | null
  readonly group_id: number | null
}

/** What may be done, and by which roles. */
export interface Right {
  /** What its parameters begin with: `merge`. */
  readonly name: string
  /** As in "Who may merge". */
  readonly verb: string
  /** The roles that are offered, in their order. */
  readonly levels: readonly number[]
}

/** The parameters that ask who may do it. */
export const whoParams = ({ name, levels }: Right): TProperties => ({
  [`${name}_role`]: optional(OneOf(levels.map(String) as [string, ...string[]], { description: 'Role' })),
  [`${name}_user_ids`]: optional(CommaList(integer('ID of a user'), { description: 'People', maxItems: 100 })),
  [`${name}_group_ids`]: optional(CommaList(integer('ID of a group'), { description: 'Groups', maxItems: 100 })),
})

/** The same as fields. `place`: whose members and groups are offered; without it the role alone is. */
export async function whoFields(
  ctx: Context,
  { name, verb, levels }: Right,
  place?: { readonly members: MemberPlace; readonly lowest: number; readonly current?: readonly StoredLevel[]; readonly groups: Choices },
): Promise<readonly FieldSpec[]> {
  const role = {
    name: `${name}_role`,
    label: `Who may ${verb}`,
    control: 'select',
    choices: levelChoices(levels).map(
      ([value, label]) => [value, place && value === String(NONE) ? 'No role: only those named below' : label] as const,
    ),
    hint: '',
  } as const
  if (!place) return [role]
  const people = await peopleChoices(ctx, place)
  return [
    role,
    { name: `${name}_user_ids`, label: `People who may ${verb} besides`, control: 'checkboxes', hint: '', ...moreOf(ctx, people) },
    ...(place.groups.length > 0
      ? [
          {
            name: `${name}_group_ids`,
            label: `Groups whose members may ${verb} besides`,
            control: 'checkboxes' as const,
            hint: '',
            choices: place.groups,
          },
        ]
      : []),
  ]
}

type Choices = NonNullable<FieldSpec['choices']>

/** Members of the place, and those who are named now. */
async function peopleChoices(
  ctx: Context,
  { members, lowest, current = [] }: { readonly members: MemberPlace; readonly lowest: number; readonly current?: readonly StoredLevel[] },
): Promise<Choices> {
  const query = searchOf(ctx)
  const named = await usersById(ctx.db, [...new Set(current.flatMap(({ user_id }) => user_id ?? []))])
  const rows = await allMembersOf(ctx.db, members, query === '' ? {} : { query })
    .limit(MOST)
    .execute()
  const offered = rows.filter(({ access_level }) => access_level >= lowest)
  const people = new Map([...named.values(), ...offered].map(person => [person.id, person]))
  return [...people.values()].map(({ id, name, username }) => [String(id), name, `@${username}`] as const)
}

/** The groups that can be named in a project: those above it and those it is shared with, as far as the caller sees them; and those that are named now. */
export async function groupChoices(
  ctx: Pick<Context, 'db' | 'actor'>,
  { key, above }: MemberPlace,
  current: readonly StoredLevel[] = [],
): Promise<Choices> {
  const named = current.flatMap(({ group_id }) => group_id ?? [])
  const rows = await ctx.db
    .selectFrom('namespaces')
    .innerJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .select(['namespaces.id', 'namespaces.name', 'routes.path'])
    .where('namespaces.kind', '=', 'group')
    .where(({ or, and, eb, exists, selectFrom }) =>
      or([
        eb('namespaces.id', '=', anyOf(named)),
        ...('namespace_id' in key
          ? [
              and([
                eb('namespaces.id', '<>', key.namespace_id),
                sql<boolean>`namespaces.traversal_ids @> array[${key.namespace_id}::bigint]`,
              ]),
            ]
          : [
              eb('namespaces.id', '=', anyOf(above)),
              and([
                groupVisibleTo(ctx.actor) as RawBuilder<boolean>,
                exists(
                  selectFrom('shares')
                    .select('shares.id')
                    .whereRef('shares.group_id', '=', 'namespaces.id')
                    .where(isCurrentShare)
                    .where(({ or, eb }) =>
                      or([eb('shares.project_id', '=', key.project_id), eb('shares.namespace_id', '=', anyOf(above))]),
                    ),
                ),
              ]),
            ]),
      ]),
    )
    .orderBy('routes.path')
    .limit(MOST)
    .execute()
  return rows.map(({ id, name, path }) => [String(id), name, path] as const)
}

/** Levels as the values of the fields. */
export function whoValues({ name }: Right, levels: readonly StoredLevel[]): Values {
  const granted = levels.flatMap(({ user_id, group_id, access_level }) =>
    user_id === null && group_id === null && access_level !== NONE ? [access_level] : [],
  )
  return {
    // Who has a higher role may what a lower one may.
    [`${name}_role`]: String(granted.length > 0 ? Math.min(...granted) : NONE),
    [`${name}_user_ids`]: levels.flatMap(({ user_id }) => user_id ?? []),
    [`${name}_group_ids`]: levels.flatMap(({ group_id }) => group_id ?? []),
  }
}

/** Whom the fields name. */
export function chosenLevels({ name }: Right, params: Values): readonly Allowed[] {
  const role = Number(params[`${name}_role`] ?? NONE)
  const ids = (kind: 'user' | 'group') => (params[`${name}_${kind}_ids`] ?? []) as readonly number[]
  return [
    ...(role === NONE ? [] : [{ access_level: role }]),
    ...ids('user').map(user_id => ({ user_id })),
    ...ids('group').map(group_id => ({ group_id })),
  ]
}

/** What changes the levels that there are into those that are chosen. */
export function changesTo(chosen: readonly Allowed[], current: readonly StoredLevel[]): readonly LevelChange[] {
  const textOf = ({ user_id, group_id, access_level }: { [K in keyof Allowed]?: Allowed[K] | null }): string =>
    user_id != null ? `user ${user_id}` : group_id != null ? `group ${group_id}` : `role ${access_level}`
  const wanted = new Set(chosen.map(textOf))
  const there = new Set(current.map(textOf))
  return [
    ...current.filter(level => !wanted.has(textOf(level))).map(({ id }) => ({ id, _destroy: true })),
    ...chosen.filter(level => !there.has(textOf(level))),
  ]
}

/** The parameters without those that `whoParams` asks for. */
export const withoutWho = (rights: readonly Right[], params: Values): Record<string, unknown> => {
  const names = new Set(rights.flatMap(right => Object.keys(whoParams(right))))
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.has(name)))
}
