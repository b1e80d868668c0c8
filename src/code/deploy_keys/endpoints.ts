/** Deploy keys of the instance and of projects (deploy keys API at 14.0). */
import type { TProperties } from 'typebox'
import { keyByFingerprint } from '../../identity/keys/queries.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { DateTime, flag, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import * as commands from './commands.ts'
import { DeployKey, ProjectDeployKey } from './entity.ts'
import { KeyWithHolder } from './holder.ts'
import { allDeployKeys, deployKeysOf } from './queries.ts'
import { inDeployKey, inInstanceDeployKey } from './scope.ts'

const newKey = {
  title: text('Title of the key', { minLength: 1, maxLength: 255, examples: ['Build machine'] }),
  key: text('As in `~/.ssh/id_ed25519.pub`', {
    maxLength: 5_000,
    examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA8ODQwLCgkIBwYFBAMCAQAPDg0MCwoJCAcGBQQDAgEA example'],
  }),
  expires_at: optional(DateTime('Time of expiry')),
} satisfies TProperties

export const listDeployKeys = endpoint({
  route: 'GET /deploy_keys',
  summary: 'List the deploy keys of the instance',
  scope: inInstance,
  can: 'admin_instance',
  params: { public: optional(flag('Only those that every project may enable')) },
  answers: pageOf(DeployKey),
  run: ({ db, params }) => allDeployKeys(db, params),
})

export const addPublicDeployKey = endpoint({
  route: 'POST /deploy_keys',
  summary: 'Add a deploy key that every project may enable',
  scope: inInstance,
  can: 'admin_instance',
  params: newKey,
  answers: one(DeployKey),
  run: ctx => commands.addPublicDeployKey(ctx, ctx.params),
})

// Absent from the public API, whose pages can do it.
export const deletePublicDeployKey = endpoint({
  route: 'DELETE /deploy_keys/:key_id',
  summary: 'Delete a deploy key in all projects',
  scope: inInstanceDeployKey,
  can: 'admin_instance',
  answers: nothing,
  run: ctx => commands.deleteDeployKey(ctx, ctx.deployKey),
})

export const listProjectDeployKeys = endpoint({
  route: 'GET /projects/:id/deploy_keys',
  summary: 'List the deploy keys of a project',
  scope: inProject,
  can: 'admin_deploy_keys',
  answers: pageOf(ProjectDeployKey),
  run: ({ db, project }) => deployKeysOf(db, project.id),
})

export const getDeployKey = endpoint({
  route: 'GET /projects/:id/deploy_keys/:key_id',
  summary: 'Get a deploy key of a project',
  scope: inDeployKey,
  can: 'admin_deploy_keys',
  answers: one(ProjectDeployKey),
  run: ({ deployKey }) => deployKey,
})

export const addDeployKey = endpoint({
  route: 'POST /projects/:id/deploy_keys',
  summary: 'Add a deploy key to a project',
  scope: inProject,
  can: 'admin_deploy_keys',
  params: { ...newKey, can_push: optional(flag('Whether it may push; default false')) },
  answers: one(ProjectDeployKey),
  run: ctx => commands.addDeployKey(ctx, ctx.project.id, ctx.params),
})

export const changeDeployKey = endpoint({
  route: 'PUT /projects/:id/deploy_keys/:key_id',
  summary: 'Change the title of a deploy key, or whether it may push',
  scope: inDeployKey,
  can: 'admin_deploy_keys',
  params: {
    title: optional(text('Title of the key', { minLength: 1, maxLength: 255 })),
    can_push: optional(flag('Whether it may push to this project')),
  },
  rules: [atLeastOne('title', 'can_push')],
  answers: one(ProjectDeployKey),
  run: ctx => commands.changeDeployKey(ctx, ctx.deployKey, ctx.params),
})

export const removeDeployKey = endpoint({
  route: 'DELETE /projects/:id/deploy_keys/:key_id',
  summary: 'Remove a deploy key from a project',
  scope: inDeployKey,
  can: 'admin_deploy_keys',
  answers: nothing,
  run: ctx => commands.removeDeployKey(ctx, ctx.deployKey),
})

export const enableDeployKey = endpoint({
  route: 'POST /projects/:id/deploy_keys/:key_id/enable',
  summary: 'Enable a deploy key of another project in this one, or restart a stopped one',
  scope: inProject,
  can: 'admin_deploy_keys',
  params: { key_id: integer('ID of a deploy key', { examples: [1] }) },
  answers: one(ProjectDeployKey),
  run: ctx => commands.enableDeployKey(ctx, ctx.project.id, ctx.params.key_id),
})

export const getKeyByFingerprint = endpoint({
  route: 'GET /keys',
  summary: 'Get the SSH key or deploy key with a fingerprint, with its user and the projects that have enabled it',
  scope: inInstance,
  can: 'admin_instance',
  params: {
    fingerprint: text('MD5 with colons, or `SHA256:` and base64', {
      maxLength: 255,
      examples: ['SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA'],
    }),
  },
  answers: one(KeyWithHolder),
  errors: ['not_found'],
  async run({ db, params }) {
    const key = await keyByFingerprint(db, params.fingerprint)
    if (!key) throw notFound('Key')
    return key
  },
})
