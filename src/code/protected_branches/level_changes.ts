/** Changes of who may do something: levels of a protection are added, changed by their ids, or taken away. */
import Type from 'typebox'
import { roles } from '../../platform/access/abilities.ts'
import { flag, integer, optional } from '../../platform/kernel/declaration/types.ts'
import { unprocessable } from '../../platform/kernel/errors.ts'
import { AccessLevel } from './params.ts'

/** Whom a level names: exactly one is given. */
export interface Allowed {
  readonly user_id?: number | undefined
  readonly group_id?: number | undefined
  readonly access_level?: number | undefined
}

/** A level that is added; one of the protection with its `id`; one that is taken away with `_destroy`. */
export interface LevelChange extends Allowed {
  readonly id?: number | undefined
  readonly _destroy?: boolean | undefined
}

/** A list of such changes, as a parameter. `levels`: those that can be named. */
export const LevelChanges = (levels: readonly number[], options: { readonly examples?: readonly unknown[] } = {}) =>
  Type.Array(
    Type.Object({
      id: optional(integer('ID of a level of the protection, which is changed')),
      user_id: optional(integer('ID of the user')),
      group_id: optional(integer('ID of the group')),
      access_level: AccessLevel(levels),
      _destroy: optional(flag('Takes the level away: that with the `id`, or else the one of this user, group or role')),
    }),
    {
      ...options,
      maxItems: 100,
      description:
        'Hashes of `user_id`, `group_id` or `access_level`, which are added; with `id` they change a level; with `_destroy` they take it away',
    },
  )

/** Whom a row of levels names. */
interface Named {
  readonly access_level: number
  readonly user_id: number | null
  readonly group_id: number | null
}

/** What changes come to: rows to write, and ids of rows to delete. */
export interface PlannedLevels {
  readonly added: readonly Named[]
  readonly changed: readonly (Named & { readonly id: number })[]
  readonly removed: readonly number[]
}

/** A row for whom a hash names. Contract: users and groups are shown with the level of Maintainers (decision 30). */
export const levelRow = ({
  user_id = null,
  group_id = null,
  access_level = roles.maintainer,
}: { [K in keyof Allowed]: Allowed[K] | null }): Named => ({
  access_level: access_level ?? roles.maintainer,
  user_id,
  group_id,
})

const isSame = (one: Named, other: Named): boolean =>
  one.user_id === other.user_id &&
  one.group_id === other.group_id &&
  (one.user_id !== null || one.group_id !== null || one.access_level === other.access_level)

/**
 * Plans changes of the levels that there are. One that is added and there already stays as it is. Pure.
 * @throws Refusal 422 for an id that is none of them
 */
export function plannedLevels(current: readonly (Named & { readonly id: number })[], changes: readonly LevelChange[]): PlannedLevels {
  const added: Named[] = []
  const changed: (Named & { id: number })[] = []
  const removed = new Set<number>()
  for (const { id, _destroy, ...allowed } of changes) {
    const row = levelRow(allowed)
    const found = id === undefined ? current.find(level => isSame(level, row)) : current.find(level => level.id === id)
    if (id !== undefined && !found) throw unprocessable(['Access level is not one of this protection'])
    if (_destroy === true) {
      if (found) removed.add(found.id)
    } else if (id !== undefined) changed.push({ ...row, id })
    else if (!found && !added.some(level => isSame(level, row))) added.push(row)
  }
  return { added, changed: changed.filter(({ id }) => !removed.has(id)), removed: [...removed] }
}

/** The levels as they are afterwards. Pure. */
export const levelsAfter = (
  current: readonly (Named & { readonly id: number })[],
  { added, changed, removed }: PlannedLevels,
): readonly Named[] => [
  ...current.filter(({ id }) => !removed.includes(id)).map(level => changed.find(({ id }) => id === level.id) ?? level),
  ...added,
]
