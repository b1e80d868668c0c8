/** SSH keys: one's own, those of other users, and the owner of a key (users and keys APIs of the v4 level 14.0). */
import type { TProperties } from 'typebox'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inSelf, inUser } from '../users/scope.ts'
import { addKey, removeKey } from './commands.ts'
import { SshKey, SshKeyWithUser } from './entity.ts'
import { keysOf } from './queries.ts'
import { inKey, inOwnKey, inUserKey } from './scope.ts'

const keyParams = {
  title: text('Title of the key', { minLength: 1, maxLength: 255, examples: ['Laptop'] }),
  key: text('As in `~/.ssh/id_ed25519.pub`', {
    maxLength: 5_000,
    examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f example'],
  }),
  expires_at: optional(DateTime('When it ends')),
} satisfies TProperties

export const listOwnKeys = endpoint({
  route: 'GET /user/keys',
  summary: 'List one’s own SSH keys',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  answers: pageOf(SshKey),
  run: ({ db, user }) => keysOf(db, user.id),
})

export const getOwnKey = endpoint({
  route: 'GET /user/keys/:key_id',
  summary: 'Get one of one’s own SSH keys',
  scope: inOwnKey,
  can: 'update_own',
  scopes: ['read_user'],
  answers: one(SshKey),
  run: ({ key }) => key,
})

export const addOwnKey = endpoint({
  route: 'POST /user/keys',
  summary: 'Add an SSH key to one’s own',
  scope: inSelf,
  can: 'add_own_credential',
  params: keyParams,
  answers: one(SshKey),
  run: ctx => addKey(ctx, ctx.user.id, ctx.params),
})

export const removeOwnKey = endpoint({
  route: 'DELETE /user/keys/:key_id',
  summary: 'Delete one of one’s own SSH keys',
  scope: inOwnKey,
  can: 'update_own',
  answers: nothing,
  run: ctx => removeKey(ctx, ctx.key),
})

export const listUserKeys = endpoint({
  route: 'GET /users/:user_id/keys',
  summary: 'List the SSH keys of a user',
  scope: inUser,
  can: 'read_user',
  scopes: ['read_user'],
  answers: pageOf(SshKey),
  run: ({ db, user }) => keysOf(db, user.id),
})

export const getUserKey = endpoint({
  route: 'GET /users/:user_id/keys/:key_id',
  summary: 'Get an SSH key of a user',
  scope: inUserKey,
  can: 'read_user',
  scopes: ['read_user'],
  answers: one(SshKey),
  run: ({ key }) => key,
})

export const addUserKey = endpoint({
  route: 'POST /users/:user_id/keys',
  summary: 'Add an SSH key to those of a user',
  scope: inUser,
  can: 'add_credential_for_user',
  params: keyParams,
  answers: one(SshKey),
  run: ctx => addKey(ctx, ctx.user.id, ctx.params),
})

export const removeUserKey = endpoint({
  route: 'DELETE /users/:user_id/keys/:key_id',
  summary: 'Delete an SSH key of a user',
  scope: inUserKey,
  can: 'admin_user',
  answers: nothing,
  run: ctx => removeKey(ctx, ctx.key),
})

export const getKey = endpoint({
  route: 'GET /keys/:id',
  summary: 'Get an SSH key with the user it belongs to',
  scope: inKey,
  can: 'admin_instance',
  answers: one(SshKeyWithUser),
  run: ({ key }) => key,
})
