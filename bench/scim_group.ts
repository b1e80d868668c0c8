/** A group with many people whom an identity provider has brought, loaded by SQL as the commands would write it. */
import type { Database } from '../src/platform/db/connection.ts'
import { digestOf, newToken } from '../src/platform/kernel/secrets.ts'

/** What the provider of the group knows. */
export interface ProvisionedGroup {
  readonly id: number
  /** `/api/scim/v2/groups/<path>/Users` */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** A member in the middle. */
  readonly externUid: string
  readonly userName: string
}

const path = 'provisioned'

/** Loads the group with `count` people in one transaction. */
export async function loadProvisioned({ pool }: Database, count: number): Promise<ProvisionedGroup> {
  const token = newToken()
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query(
      `with fresh as (select nextval(pg_get_serial_sequence('namespaces', 'id')) as id)
       insert into namespaces (id, kind, traversal_ids, name, path) overriding system value
       select id, 'group', array[id], $1, $1 from fresh returning id`,
      [path],
    )
    const id = Number(rows[0].id)
    await client.query('insert into routes (namespace_id, path, name) values ($1, $2, $2)', [id, path])
    // What is loaded is more than the limit of an instance is at first.
    await client.query('update application_settings set scim_accounts_per_group = 1000000')
    // Made by an administrator: their tokens make accounts.
    await client.query(
      `insert into scim_tokens (group_id, digest, enabled_by, enabled_by_admin)
       select $1, $2, id, true from users where admin and state = 'active' order by id limit 1`,
      [id, digestOf(token)],
    )
    await client.query(
      `with people as (
         insert into users (username, name, email) select 'bulk.' || n, 'Bulk ' || n, 'bulk.' || n || '@example.com' from generate_series(1, $2::int) n
         returning id, username),
       identities as (
         insert into scim_identities (group_id, user_id, extern_uid, user_name) select $1, id, replace(username, '.', '-'), username from people),
       made as (insert into provisioned_users (user_id, group_id, top_group_id) select id, $1, $1 from people),
       spaces as (
         insert into namespaces (id, kind, owner_id, traversal_ids, name, path, visibility) overriding system value
         select fresh, 'user', id, array[fresh], username, username, 'public'
           from (select id, username, nextval(pg_get_serial_sequence('namespaces', 'id')) as fresh from people) numbered
         returning id, path),
       paths as (insert into routes (namespace_id, path, name) select id, path, path from spaces)
       insert into members (user_id, namespace_id, access_level) select id, $1, 10 from people`,
      [id, count],
    )
    await client.query('commit')
    await client.query('vacuum (analyze)')
    const middle = Math.ceil(count / 2)
    return {
      id,
      address: `/api/scim/v2/groups/${path}/Users`,
      headers: { authorization: `Bearer ${token.reveal()}`, 'content-type': 'application/scim+json' },
      externUid: `bulk-${middle}`,
      userName: `bulk.${middle}`,
    }
  } finally {
    client.release()
  }
}
