/** Reads of hooks: addresses that are notified of events in a project, a group or the whole instance. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { HookKind, Trigger } from './switches.ts'

/** All hooks, in a stable order. `token` is encrypted. */
export const hooks = (db: Db) =>
  db
    .selectFrom('hooks')
    .selectAll()
    .select(
      sql<HookKind>`case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end`.as(
        'kind',
      ),
    )
    .orderBy('id')

export type HookRow = Awaited<ReturnType<ReturnType<typeof hooks>['executeTakeFirstOrThrow']>>

/** The hooks of a project itself. */
export const hooksOfProject = (db: Db, projectId: number) => hooks(db).where('project_id', '=', projectId)

/** The hooks of a group itself. */
export const hooksOfGroup = (db: Db, groupId: number) => hooks(db).where('namespace_id', '=', groupId)

/** The hooks of the instance. */
export const systemHooks = (db: Db) => hooks(db).where('project_id', 'is', null).where('namespace_id', 'is', null)

/** The place of an event: a project, the groups around it, or neither. */
export interface Whereabouts {
  readonly projectId?: number | undefined
  /** Outermost first. */
  readonly groupIds?: readonly number[] | undefined
}

/** The hooks that subscribe to this kind of event in this place. */
export const hooksWanting = (db: Db, { projectId, groupIds = [] }: Whereabouts, trigger: Trigger): Promise<HookRow[]> =>
  trigger === 'system_events'
    ? systemHooks(db).execute()
    : hooks(db)
        .where(sql<boolean>`${trigger} = any(switches)`)
        .where(
          sql<boolean>`(project_id = ${projectId ?? null}::bigint or namespace_id = any(${groupIds}::bigint[])
                        or project_id is null and namespace_id is null)`,
        )
        .execute()
