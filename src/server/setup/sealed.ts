/** The list of all encrypted columns, so that the key can be changed. A secret is bound to its column by its purpose, `table.column`. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Secrets } from '../../platform/kernel/secrets.ts'

/** Every column with ciphertexts, by its purpose. */
export const sealedColumns = [
  'bulk_imports.access_token',
  'ci_variables.value',
  'clusters.token',
  'debian_distributions.private_key',
  'flag_clients.token',
  'github_imports.token',
  'hooks.token',
  'integrations.secrets',
  'mail_bodies.content',
  'mails.content',
  'pipeline_triggers.token',
  'project_exports.upload_address',
  'project_imports.address',
  'projects.import_credentials',
  'remote_mirrors.address',
  'run_variables.value',
  'runners_tokens.encrypted',
  'signing_keys.private_key',
  'site_domains.private_key',
  'terraform_state_parts.content',
  'terraform_state_versions.content',
  'totp_factors.secret',
] as const

/** Rows that are locked per statement. */
const BATCH = 500

/**
 * Encrypts with the current key what former keys encrypted; returns the number of values. Safe to repeat, and while the instance is in use.
 */
export async function renewSealed(db: Db, secrets: Secrets): Promise<number> {
  let renewed = 0
  for (const purpose of sealedColumns) {
    const [table, column] = purpose.split('.') as [string, string]
    for (let last = 0; ; ) {
      const seen = await transact(db, async tx => {
        const { rows } = await sql<{ id: number; stored: string }>`
          select id, ${sql.ref(column)} as stored from ${sql.table(table)}
           where id > ${last} and ${sql.ref(column)} is not null order by id limit ${BATCH} for no key update`.execute(tx)
        for (const { id, stored } of rows) {
          const fresh = secrets.renew(stored, purpose)
          if (fresh === undefined) continue
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${fresh} where id = ${id}`.execute(tx)
          renewed++
        }
        return rows
      })
      last = seen.at(-1)?.id ?? last
      if (seen.length < BATCH) break
    }
  }
  return renewed
}
