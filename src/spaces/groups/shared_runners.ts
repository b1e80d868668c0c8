/** Whether the projects of a group may use the runners of the instance (`shared_runners_setting`). A group is never more open than its parent. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { endSharedRunnersBelow } from '../projects/attributes/shared_runners.ts'

/** From open to closed. */
export const sharedRunnersSettings = ['enabled', 'disabled_with_override', 'disabled_and_unoverridable'] as const

export type SharedRunnersSetting = (typeof sharedRunnersSettings)[number]

interface Holder {
  readonly shared_runners_setting: string
}

const isFinal = (holder: Holder | undefined): boolean => holder?.shared_runners_setting === 'disabled_and_unoverridable'

/**
 * The value of `shared_runners_enabled` for a project that comes into a namespace; undefined for the default.
 * @throws Refusal 400 where the namespace forbids the wanted value
 */
export function sharedRunnersOfProject(namespace: Holder, wanted: boolean | undefined): boolean | undefined {
  if (namespace.shared_runners_setting === 'enabled') return wanted
  if (wanted && isFinal(namespace)) throw invalid({ shared_runners_enabled: ['cannot be enabled because parent group does not allow it'] })
  return wanted ?? false
}

/** The setting of a group below `parent`, which inherits it by default; 400 for one that is more open than the parent allows. */
export function sharedRunnersOfGroup(
  parent: Holder | undefined,
  wanted: SharedRunnersSetting | undefined,
): SharedRunnersSetting | undefined {
  if (wanted !== undefined && wanted !== 'disabled_and_unoverridable' && isFinal(parent))
    throw invalid({ shared_runners_setting: ['cannot be enabled because parent group has shared Runners disabled'] })
  return wanted ?? (parent?.shared_runners_setting as SharedRunnersSetting | undefined)
}

/** Is the first setting more open than the second? */
export const isMoreOpen = (one: Holder, other: Holder): boolean =>
  sharedRunnersSettings.indexOf(one.shared_runners_setting as SharedRunnersSetting) <
  sharedRunnersSettings.indexOf(other.shared_runners_setting as SharedRunnersSetting)

/**
 * Carries a setting into everything below a group, and the group itself. A disabled one switches all projects off; groups below get it
 * too unless theirs is stricter. Whatever is opened is opened for the group alone. `ctx.db` is a transaction.
 */
export async function applySharedRunners(db: Db, groupId: number, setting: SharedRunnersSetting): Promise<void> {
  await db.updateTable('namespaces').set({ shared_runners_setting: setting }).where('id', '=', groupId).execute()
  if (setting === 'enabled') return
  const below = sql<boolean>`traversal_ids @> array[${groupId}::bigint]`
  const open = sharedRunnersSettings.slice(0, sharedRunnersSettings.indexOf(setting))
  await db
    .updateTable('namespaces')
    .set({ shared_runners_setting: setting })
    .where(below)
    .where('shared_runners_setting', 'in', open)
    .execute()
  await endSharedRunnersBelow(db, groupId)
}
