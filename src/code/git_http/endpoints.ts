/** Git over HTTP: clone, fetch and push with git's smart protocol (clients.md 0.14). */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { advertiseRefs } from '../../platform/git/index.ts'
import { bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf } from '../../platform/kernel/declaration/types.ts'
import { ensureRepository } from '../../spaces/projects/repository/store.ts'
import { refusesThinPacks } from '../../spaces/storage_limits/limits.ts'
import { pushing } from '../protected_branches/collaboration.ts'
import { fetchScopes, pushScopes, requireService } from './access.ts'
import { git } from './dialect.ts'
import { protocolOf, serveFetch, servePush } from './exchange.ts'
import { inGitRepository } from './scope.ts'

const services = ['git-upload-pack', 'git-receive-pack'] as const

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
    const body = Readable.from(advertiseRefs(repository, params.service, { protocol: protocolOf(ctx), framing: 'http', refusesThin }))
    return {
      body,
      work: finished(body),
      headers: { 'content-type': `application/x-${params.service}-advertisement` },
    }
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
