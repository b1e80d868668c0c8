/** Git over HTTP for side repositories: the addresses of git's transport, with a prefix that `address.ts` puts before them. */
import { bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf } from '../../platform/kernel/declaration/types.ts'
import { refusesThinPacks } from '../../spaces/storage_limits/limits.ts'
import { fetchScopes, pushScopes } from '../git_http/access.ts'
import { git } from '../git_http/dialect.ts'
import { advertisement, serveFetchFrom, servePushBy, services } from '../git_http/exchange.ts'
import { currentSidePusher, requireSideService } from './access.ts'
import { receiveSidePush } from './push.ts'
import { inSideRepository } from './scope.ts'
import { ensureSide } from './side_repository.ts'

export const advertiseSideReferences = endpoint({
  route: 'GET /-/repositories/:side_path/info/refs',
  summary: 'Advertise the references of a wiki or snippet to a git client',
  dialect: git,
  scope: inSideRepository,
  can: 'read_instance',
  scopes: fetchScopes,
  jobToken: true,
  cost: 'git',
  params: { service: OneOf(services, { description: 'Requested service', examples: ['git-upload-pack'] }) },
  answers: bytes('application/x-git-upload-pack-advertisement'),
  run: async ctx => {
    const { side, params } = ctx
    requireSideService(ctx, side, params.service)
    const repository = await ensureSide(ctx.db, ctx.deps.storages, side)
    const refusesThin = params.service === 'git-receive-pack' && (await refusesThinPacks(ctx.db, side.project?.id))
    return advertisement(ctx, repository, params.service, refusesThin)
  },
})

export const uploadSidePack = endpoint({
  route: 'POST /-/repositories/:side_path/git-upload-pack',
  summary: 'Serve a fetch or clone of a wiki or snippet',
  dialect: git,
  scope: inSideRepository,
  can: 'read_instance',
  anonymous: true,
  scopes: fetchScopes,
  jobToken: true,
  rawBody: true,
  cost: 'git',
  writes: 'own',
  answers: bytes('application/x-git-upload-pack-result', 200),
  run: async ctx => serveFetchFrom(ctx, await ensureSide(ctx.db, ctx.deps.storages, ctx.side), ctx.body),
})

export const receiveSidePack = endpoint({
  route: 'POST /-/repositories/:side_path/git-receive-pack',
  summary: 'Receive a push to a wiki or snippet',
  dialect: git,
  scope: inSideRepository,
  can: 'use_instance',
  scopes: pushScopes,
  rawBody: true,
  cost: 'git',
  writes: 'own',
  answers: bytes('application/x-git-receive-pack-result', 200),
  run: ctx => {
    const { side } = ctx
    requireSideService(ctx, side, 'git-receive-pack')
    const current = () => currentSidePusher(ctx, side)
    return servePushBy(ctx, ctx.body, channel => receiveSidePush(ctx, side, { ...channel, current }))
  },
})
