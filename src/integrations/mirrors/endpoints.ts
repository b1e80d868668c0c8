/** Mirrors of projects (remote mirrors API and projects API at 14.0, and what later levels add: one mirror, its removal and update, the state of pulls). */
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { PullMirrorEntity, RemoteMirror } from './entity.ts'
import { assertPulls, configurePull, requestPull } from './pull/commands.ts'
import { addRemoteMirror, changeRemoteMirror, removeRemoteMirror, requestUpdate } from './push/commands.ts'
import { remoteMirrorsOf } from './push/queries.ts'
import { inRemoteMirror } from './push/scope.ts'

const switches = {
  enabled: optional(flag('Whether it is updated; false unless given')),
  only_protected_branches: optional(flag('Whether only protected branches are pushed')),
  keep_divergent_refs: optional(flag('Whether branches and tags that have diverged in the remote are left as they are')),
}

const url = text('Address of the remote repository, with a user and a password or token: http or https', {
  maxLength: 2_048,
  examples: ['https://user:token@git.example.com/group/copy.git'],
})

export const listRemoteMirrors = endpoint({
  route: 'GET /projects/:id/remote_mirrors',
  summary: 'List the push mirrors of a project',
  scope: inProject,
  can: 'read_mirrors',
  answers: pageOf(RemoteMirror),
  run: ({ db, project }) => remoteMirrorsOf(db, project.id),
})

export const getRemoteMirror = endpoint({
  route: 'GET /projects/:id/remote_mirrors/:mirror_id',
  summary: 'Get a push mirror of a project',
  scope: inRemoteMirror,
  can: 'read_mirrors',
  answers: one(RemoteMirror),
  run: ({ mirror }) => mirror,
})

export const createRemoteMirror = endpoint({
  route: 'POST /projects/:id/remote_mirrors',
  summary: 'Add a push mirror to a project',
  scope: inProject,
  can: 'admin_mirrors',
  params: { url, ...switches },
  answers: one(RemoteMirror),
  run: ctx => addRemoteMirror(ctx, ctx.project, ctx.params),
})

export const updateRemoteMirror = endpoint({
  route: 'PUT /projects/:id/remote_mirrors/:mirror_id',
  summary: 'Change a push mirror of a project',
  scope: inRemoteMirror,
  can: 'admin_mirrors',
  // Newer than 14.0: the address, so that credentials can be replaced.
  params: { url: optional(url), ...switches },
  answers: one(RemoteMirror),
  run: ctx => changeRemoteMirror(ctx, ctx.project, ctx.mirror, ctx.params),
})

export const deleteRemoteMirror = endpoint({
  route: 'DELETE /projects/:id/remote_mirrors/:mirror_id',
  summary: 'Remove a push mirror of a project',
  scope: inRemoteMirror,
  can: 'admin_mirrors',
  answers: nothing,
  run: ctx => removeRemoteMirror(ctx, ctx.mirror),
})

export const syncRemoteMirror = endpoint({
  route: 'POST /projects/:id/remote_mirrors/:mirror_id/sync',
  summary: 'Update a push mirror of a project as soon as possible',
  scope: inRemoteMirror,
  can: 'admin_mirrors',
  answers: nothing,
  run: ctx => requestUpdate(ctx, ctx.mirror),
})

export const startPull = endpoint({
  route: 'POST /projects/:id/mirror/pull',
  summary: 'Pull into a project from the repository that it mirrors, as soon as possible',
  scope: inProject,
  can: 'admin_mirrors',
  tier: 'premium',
  answers: { kind: 'nothing', status: 200 },
  run: ctx => requestPull(ctx, ctx.project),
})

export const getPullMirror = endpoint({
  route: 'GET /projects/:id/mirror/pull',
  summary: 'Get how a project pulls from the repository that it mirrors',
  scope: inProject,
  can: 'read_mirrors',
  tier: 'premium',
  answers: one(PullMirrorEntity),
  errors: ['bad_request'],
  run: async ({ db, project }) => ({ project, state: await assertPulls(db, project) }),
})

export const updatePullMirror = endpoint({
  route: 'PUT /projects/:id/mirror/pull',
  summary: 'Set from where a project pulls, and how',
  scope: inProject,
  can: 'admin_mirrors',
  tier: 'premium',
  // The repository is not locked while the address is stored: the update of the project has a transaction of its own.
  writes: 'own',
  params: {
    enabled: optional(flag('Whether the project pulls')),
    url: optional(text('Address of the remote repository: http or https', { maxLength: 2_048 })),
    auth_user: optional(text('User at the remote repository', { maxLength: 255 })),
    auth_password: optional(text('Password or token of that user', { maxLength: 1_024 })),
    mirror_trigger_builds: optional(flag('Whether pulling starts pipelines')),
    only_mirror_protected_branches: optional(flag('Whether only protected branches are pulled')),
    mirror_overwrites_diverged_branches: optional(flag('Whether pulling overwrites branches that differ')),
  },
  answers: one(PullMirrorEntity),
  run: ctx => configurePull(ctx, ctx.project, ctx.params),
})
