/** SCIM provisioning of groups (document 1 "SCIM endpoints"; decisions 20 to 22). */
import Type from 'typebox'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { described, flag, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { prefix } from './address.ts'
import { changeUser, provisionUser, removeUser } from './commands.ts'
import { scim } from './dialect.ts'
import { ScimUser, ScimUserList } from './entity.ts'
import { fullName, MAX_TEXT, workEmail } from './protocol/attributes.ts'
import { readFilter } from './protocol/filter.ts'
import { changesOf } from './protocol/patch.ts'
import { type ScimGroup, type ScimUserRow, scimPage } from './queries.ts'
import { inScimGroup, inScimRecord, inScimUser } from './scope.ts'

/** Maximum characters of a filter: every valid value fits, escaped. */
const MAX_FILTER = 2_000

export const listScimUsers = endpoint({
  route: 'GET /groups/:group_path/Users',
  summary: 'Find a user whom the identity provider has brought into the group',
  dialect: scim,
  scope: inScimGroup,
  can: 'provision_group_users',
  params: {
    filter: optional(text('`eq` on id, externalId, userName or emails.value', { maxLength: MAX_FILTER })),
    startIndex: integer('From 1; less is read as 1', { default: 1 }),
    // Contract: at most one user is returned, whatever the count (document 1, List rule 1; decision 21).
    count: integer('Results on a page; none come back for 0', { default: 1 }),
  },
  answers: one(ScimUserList),
  async run({ db, group, params }) {
    const startIndex = Math.max(1, params.startIndex)
    const wanted = params.filter === undefined ? undefined : readFilter(params.filter)
    return { ...(await scimPage(db, group.id, wanted, { offset: startIndex - 1, count: params.count })), startIndex }
  },
})

export const getScimUser = endpoint({
  route: 'GET /groups/:group_path/Users/:id',
  summary: 'Get a user whom the identity provider has brought into the group',
  dialect: scim,
  scope: inScimUser,
  can: 'provision_group_users',
  answers: one(ScimUser),
  run: ({ user }) => user,
})

const boundedText = (options: object = {}) => Type.String({ maxLength: MAX_TEXT, ...options })

/** A user with their SCIM address. */
type Created = ScimUserRow & { readonly location: string }

const located = ({ url }: Context, group: ScimGroup, user: ScimUserRow): Created => ({
  ...user,
  location: `${url}${prefix}/groups/${encodeURIComponent(group.full_path)}/Users/${encodeURIComponent(user.extern_uid)}`,
})

export const createScimUser = endpoint({
  route: 'POST /groups/:group_path/Users',
  summary: 'Bring a user into the group',
  dialect: scim,
  scope: inScimGroup,
  can: 'provision_group_users',
  params: {
    externalId: boundedText({ minLength: 1, description: 'ID of the user at the identity provider', examples: ['0b1d561c-21ff-4092'] }),
    userName: boundedText({ description: 'Username', minLength: 1, examples: ['ida.provisioned'] }),
    emails: described(
      'Email addresses',
      Type.Array(
        Type.Object({
          value: boundedText({ description: 'The address' }),
          type: optional(described('Type of the address', boundedText())),
          primary: optional(flag('Whether it is the primary address')),
        }),
        { minItems: 1, maxItems: 100, examples: [[{ primary: true, type: 'work', value: 'ida.provisioned@example.com' }]] },
      ),
    ),
    name: described(
      'Name of the user',
      Type.Object(
        {
          formatted: optional(described('Full name', boundedText())),
          familyName: optional(described('Family name', boundedText())),
          givenName: optional(described('Given name', boundedText())),
        },
        { examples: [{ formatted: 'Ida Example', familyName: 'Example', givenName: 'Ida' }] },
      ),
    ),
    meta: optional(
      described(
        "What the record is, in SCIM's terms",
        Type.Object({ resourceType: optional(described('Kind of the SCIM resource', boundedText())) }),
      ),
    ),
    schemas: optional(described('SCIM schemas of the object', Type.Array(boundedText(), { maxItems: 100 }))),
    active: optional(Nullable(flag('Whether the user may use the group'))),
  },
  // RFC 7644 section 3.3 requires the address of the new resource in this header.
  answers: one<Created>(ScimUser, 201, ({ location }) => ({ location })),
  errors: ['conflict'],
  async run(ctx) {
    const { externalId, userName, emails, name, active } = ctx.params
    const person = { externUid: externalId, userName, name: fullName(name), email: workEmail(emails), active: active ?? true }
    return located(ctx, ctx.group, await provisionUser(ctx, ctx.group, person))
  },
})

export const patchScimUser = endpoint({
  route: 'PATCH /groups/:group_path/Users/:id',
  summary: 'Change, deactivate or bring back a user whom the identity provider has brought into the group',
  dialect: scim,
  scope: inScimRecord,
  can: 'provision_group_users',
  params: {
    Operations: described(
      'Changes to make',
      Type.Array(
        Type.Object({
          op: boundedText({ description: 'Add, Replace or Remove, in any case of letters' }),
          path: optional(described('Attribute to change', boundedText())),
          value: optional(described('Value', Type.Unknown())),
        }),
        { minItems: 1, maxItems: 100, examples: [[{ op: 'Replace', path: 'active', value: true }]] },
      ),
    ),
  },
  // Contract: no body, although RFC 7644 section 3.5.2 allows one (document 1 "SCIM endpoints").
  answers: nothing,
  errors: ['conflict'],
  run: ctx => changeUser(ctx, ctx.group, ctx.user, changesOf(ctx.params.Operations)),
})

export const deleteScimUser = endpoint({
  route: 'DELETE /groups/:group_path/Users/:id',
  summary: 'Remove a user and their membership from the group',
  dialect: scim,
  scope: inScimRecord,
  can: 'provision_group_users',
  answers: nothing,
  run: ctx => removeUser(ctx, ctx.group, ctx.user),
})
