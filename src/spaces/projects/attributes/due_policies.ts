/** Expiration policies whose time has come. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { type ExpirationPolicy, nextRunOf } from './expiration_policy.ts'

/** A project whose policy runs now. */
export interface DueProject {
  readonly id: number
  readonly policy: ExpirationPolicy
}

/**
 * Takes projects whose policies are due, in a transaction, and notes when they run next; those that another process has are skipped. Runs that were
 * missed while Ingot was down are replaced by one.
 */
export async function claimDuePolicies(db: Db, now: Date, limit: number): Promise<DueProject[]> {
  const { rows } = await sql<DueProject>`
    select id, container_expiration_policy as policy from projects
     where container_expiration_policy ->> 'enabled' = 'true' and container_expiration_policy ->> 'next_run_at' <= ${now.toISOString()}
     order by container_expiration_policy ->> 'next_run_at' limit ${limit} for no key update skip locked`.execute(db)
  if (rows.length === 0) return []
  const next = rows.map(({ id, policy }) => ({ id, next: nextRunOf(policy, now) }))
  await sql`
    update projects set container_expiration_policy = jsonb_set(container_expiration_policy, '{next_run_at}', to_jsonb(due.next))
      from json_to_recordset(${JSON.stringify(next)}::json) as due(id bigint, next text)
     where projects.id = due.id`.execute(db)
  return rows
}
