/** SCIM users and lists of them as JSON (document 1 "SCIM user", "SCIM list response"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { described, flag, integer, text } from '../../platform/kernel/declaration/types.ts'
import type { ScimPage, ScimUserRow } from './queries.ts'

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

const schema = Type.Object({
  schemas: described('SCIM schemas of the object', Type.Array(Type.String())),
  id: text('ID of the user at the identity provider'),
  active: flag('Whether the user may use the group'),
  // Contract: the key is literally `name.formatted` (document 1 "SCIM user").
  'name.formatted': text('Full name'),
  // Contract: the account's username, which may differ from the name that the provider gave (document 1, mapping table).
  userName: text('Username of the account'),
  meta: described("What the record is, in SCIM's terms", Type.Object({ resourceType: text('Kind of the SCIM resource') })),
  emails: described(
    'Email addresses',
    Type.Array(
      Type.Object({ type: text('Type of the address'), value: text('Value'), primary: flag('Whether it is the primary address') }),
    ),
  ),
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
    schemas: described('SCIM schemas of the object', Type.Array(Type.String())),
    totalResults: integer('Number of users that match'),
    itemsPerPage: integer('Number of users on this page'),
    startIndex: integer('Number of the first user of this page, from 1'),
    Resources: described('The users of this page', Type.Array(schema)),
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
