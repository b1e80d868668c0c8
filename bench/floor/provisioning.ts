/**
 * The floor of a provisioning: a bare handler that reads the body and writes the same rows in one durable transaction of
 * one statement. It looks for nothing, and nothing can be in the way.
 */
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { serveFloor } from './serve.ts'

interface Work {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly groupId: number
}

const statement = `
  with person as (insert into users (username, name, email) values ($2, 'New Person', $2 || '@example.com') returning id),
  space as (
    insert into namespaces (id, kind, owner_id, traversal_ids, name, path, visibility) overriding system value
    select fresh, 'user', id, array[fresh], $2, $2, 'public'
      from (select id, nextval(pg_get_serial_sequence('namespaces', 'id')) as fresh from person) numbered
    returning id),
  route as (insert into routes (namespace_id, path, name) select id, $2, $2 from space),
  made as (insert into provisioned_users (user_id, group_id, top_group_id) select id, $1, $1 from person),
  identity as (insert into scim_identities (group_id, user_id, extern_uid, user_name) select $1, id, $2, $2 from person),
  member as (insert into members (user_id, namespace_id, access_level) select id, $1, 10 from person),
  happened as (
    insert into events (kind, payload, namespace_id)
    select kind, jsonb_build_object('user_id', id), $1 from person, unnest(array['user.created', 'member.added']) kind)
  insert into audit_events (kind, author_name, entity_type, entity_id, entity_path, target_type, target_id, target_details, details, ip_address)
  select 'user.created', 'SCIM', 'Group', $1, 'provisioned', 'User', id, $2, '{"custom_message": "User created by SCIM"}', '127.0.0.1' from person
  returning id`

await serveFloor<Work>(async ({ databaseUrl, poolSize, groupId }) => {
  const { pool } = await openDatabase({ url: databaseUrl, poolSize, log: pino({ level: 'error' }) })
  const run = randomBytes(6).toString('hex')
  let number = 0
  return (request, response) => {
    text(request)
      .then(body =>
        pool.query({ name: 'provision', text: statement, values: [groupId, `floor-${run}-${++number}`] }).then(() => JSON.parse(body)),
      )
      .then(
        person => response.writeHead(201, { 'content-type': 'application/scim+json' }).end(JSON.stringify(person)),
        error => response.writeHead(500).end(String(error)),
      )
  }
})
