/** Git over HTTP: clone, fetch and push with git's smart protocol (clients.md 0.14). */
import { bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf } from '../../platform/kernel/declaration/types.ts'
import { ensureRepository } from '../../spaces/projects/repository/store.ts'
import { refusesThinPacks } from '../../spaces/storage_limits/limits.ts'
import { pushing } from '../protected_branches/collaboration.ts'
import { fetchScopes, pushScopes, requireService } from './access.ts'
import { git } from './dialect.ts'
import { advertisement, serveFetch, servePush, services } from './exchange.ts'
import { inGitRepository } from './scope.ts'

export const advertiseReferences = endpoint({
  route: 'GET /:repository_path/info/refs',
  summary: 'Advertise the references of a repository to a git client',
  dialect: git,
  scope: inGitRepository,
  can: 'read_code',
  scopes: fetchScopes,
  jobToken: true,
  cost: 'git',
  params: { service: OneOf(services, { description: 'Requested service', examples: ['git-upload-pack'] }) },
  answers: bytes('application/x-git-upload-pack-advertisement'),
  run: async ctx => {
    const { project, params } = ctx
    await requireService(ctx, project, params.service)
    const repository = await ensureRepository(ctx.db, ctx.deps.storages, project)
    const refusesThin = params.service === 'git-receive-pack' && (await refusesThinPacks(ctx.db, project.id))
    return advertisement(ctx, repository, params.service, refusesThin)
  },
})

export const uploadPack = endpoint({
  route: 'POST /:repository_path/git-upload-pack',
  summary: 'Serve a fetch or clone',
  dialect: git,
  scope: inGitRepository,
  can: 'read_code',
  anonymous: true,
  scopes: fetchScopes,
  jobToken: true,
  rawBody: true,
  cost: 'git',
  writes: 'own',
  answers: bytes('application/x-git-upload-pack-result', 200),
  run: ctx => serveFetch(ctx, ctx.project, ctx.body),
})

export const receivePack = endpoint({
  route: 'POST /:repository_path/git-receive-pack',
  summary: 'Receive a push',
  dialect: git,
  scope: pushing(inGitRepository),
  can: 'push_to_branch',
  scopes: pushScopes,
  rawBody: true,
  cost: 'git',
  writes: 'own',
  answers: bytes('application/x-git-receive-pack-result', 200),
  run: ctx => servePush(ctx, ctx.project, ctx.body),
})
