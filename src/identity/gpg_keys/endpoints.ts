/** GPG keys: one's own, and those of other users (users API at 14.0). */
import type { TProperties } from 'typebox'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { inSelf, inUser } from '../users/scope.ts'
import { addGpgKey, removeGpgKey } from './commands.ts'
import { GpgKey } from './entity.ts'
import { gpgKeysOf } from './queries.ts'
import { inOwnGpgKey, inUserGpgKey } from './scope.ts'

const example = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEawC+HxYJKwYBBAHaRw8BAQdA5/sUGVIFY8SxnNqlwk7atgJtWNfYvAtyC072
SgIODUW0HUV4YW1wbGUgPGV4YW1wbGVAZXhhbXBsZS5jb20+iJAEExYIADgWIQQ7
Sp6YQKY1AjBvrZpV9LY31orYhAUCawC+HwIbAwULCQgHAgYVCgkICwIEFgIDAQIe
AQIXgAAKCRBV9LY31orYhBL4AP90BJuSSaOLRnhxvKzigHBRie7I2jF514lGEPix
pxb1VgD9HxkdI/tQPszXUGmnRkvs4QYoUaGMYKFzCCvYlW1LVAA=
=aUbi
-----END PGP PUBLIC KEY BLOCK-----`

const keyParams = {
  key: text('As `gpg --armor --export` prints it', { maxLength: 100_000, examples: [example] }),
} satisfies TProperties

export const listOwnGpgKeys = endpoint({
  route: 'GET /user/gpg_keys',
  summary: 'List one’s own GPG keys',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  answers: pageOf(GpgKey),
  run: ({ db, user }) => gpgKeysOf(db, user.id),
})

export const getOwnGpgKey = endpoint({
  route: 'GET /user/gpg_keys/:key_id',
  summary: 'Get one of one’s own GPG keys',
  scope: inOwnGpgKey,
  can: 'update_own',
  scopes: ['read_user'],
  answers: one(GpgKey),
  run: ({ key }) => key,
})

export const addOwnGpgKey = endpoint({
  route: 'POST /user/gpg_keys',
  summary: 'Add a GPG key to one’s own',
  scope: inSelf,
  can: 'add_own_credential',
  params: keyParams,
  answers: one(GpgKey),
  run: ctx => addGpgKey(ctx, ctx.user.id, ctx.params.key),
})

export const removeOwnGpgKey = endpoint({
  route: 'DELETE /user/gpg_keys/:key_id',
  summary: 'Delete one of one’s own GPG keys',
  scope: inOwnGpgKey,
  can: 'update_own',
  answers: nothing,
  run: ctx => removeGpgKey(ctx, ctx.key),
})

export const listUserGpgKeys = endpoint({
  route: 'GET /users/:user_id/gpg_keys',
  summary: 'List the GPG keys of a user',
  scope: inUser,
  can: 'read_user',
  scopes: ['read_user'],
  answers: pageOf(GpgKey),
  run: ({ db, user }) => gpgKeysOf(db, user.id),
})

export const getUserGpgKey = endpoint({
  route: 'GET /users/:user_id/gpg_keys/:key_id',
  summary: 'Get a GPG key of a user',
  scope: inUserGpgKey,
  can: 'read_user',
  scopes: ['read_user'],
  answers: one(GpgKey),
  run: ({ key }) => key,
})

export const addUserGpgKey = endpoint({
  route: 'POST /users/:user_id/gpg_keys',
  summary: 'Add a GPG key to those of a user',
  scope: inUser,
  can: 'add_credential_for_user',
  params: keyParams,
  answers: one(GpgKey),
  run: ctx => addGpgKey(ctx, ctx.user.id, ctx.params.key),
})

export const removeUserGpgKey = endpoint({
  route: 'DELETE /users/:user_id/gpg_keys/:key_id',
  summary: 'Delete a GPG key of a user',
  scope: inUserGpgKey,
  can: 'admin_user',
  answers: nothing,
  run: ctx => removeGpgKey(ctx, ctx.key),
})
