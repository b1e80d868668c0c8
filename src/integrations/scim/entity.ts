/** SCIM users and lists of them as JSON (document 1 "SCIM user", "SCIM list response"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { ScimPage, ScimUserRow } from './queries.ts'

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

const schema = Type.Object({
  schemas: Type.Array(Type.String()),
  id: Type.String({ description: 'ID of the user at the identity provider' }),
  active: Type.Boolean(),
  // Contract: the key is literally `name.formatted` (document 1 "SCIM user").
  'name.formatted': Type.String(),
  // Contract: the account's username, which may differ from the name that the provider gave (document 1, mapping table).
  userName: Type.String({ description: 'Username of the account' }),
  meta: Type.Object({ resourceType: Type.String() }),
  emails: Type.Array(Type.Object({ type: Type.String(), value: Type.String(), primary: Type.Boolean() })),
})

const present = (row: ScimUserRow) => ({
  schemas: [USER_SCHEMA],
  id: row.extern_uid,
  active: row.active,
  'name.formatted': row.name,
  userName: row.username,
  meta: { resourceType: 'User' },
  emails: [{ type: 'work', value: row.email, primary: true }],
})

export const ScimUser = entity({ name: 'ScimUser', schema, present: (row: ScimUserRow) => present(row) })

/** The requested page of a list; `startIndex` from 1. */
export interface ScimList extends ScimPage {
  readonly startIndex: number
}

export const ScimUserList = entity({
  name: 'ScimUserList',
  schema: Type.Object({
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    itemsPerPage: Type.Integer(),
    startIndex: Type.Integer(),
    Resources: Type.Array(schema),
  }),
  present: ({ total, users, startIndex }: ScimList) => ({
    schemas: [LIST_SCHEMA],
    totalResults: total,
    // RFC 7644 section 3.4.2: the number of users on this page.
    itemsPerPage: users.length,
    startIndex,
    Resources: users.map(present),
  }),
})
