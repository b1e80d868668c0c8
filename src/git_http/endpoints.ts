/** Git over HTTP: clone, fetch and push with git's smart protocol (issue "Foundation", section 4; clients.md 0.14). */
import { Readable } from 'node:stream'
import { allows } from '../access/abilities.ts'
import { hasScope } from '../access/actor.ts'
import type { TokenScope } from '../access/token_scopes.ts'
import { advertiseRefs } from '../git/transport/upload-pack.ts'
import type { Context } from '../kernel/context.ts'
import { bytes, endpoint } from '../kernel/endpoint.ts'
import { insufficientScope, Refusal, unauthenticated } from '../kernel/errors.ts'
import { OneOf } from '../kernel/types.ts'
import { type ProjectWithRole, projectSubject } from '../projects/scope.ts'
import { ensureRepository } from '../repository/store.ts'
import { git } from './dialect.ts'
import { protocolOf, serveFetch, servePush } from './exchange.ts'
import { inGitRepository } from './scope.ts'

/** The scopes besides `api` that let a token fetch, and push. */
const fetchScopes: readonly TokenScope[] = ['read_repository', 'write_repository']
const pushScopes: readonly TokenScope[] = ['write_repository']

const services = ['git-upload-pack', 'git-receive-pack'] as const

/** What the client is about to do must be allowed when it knocks: its person sees the refusal of this request best. */
function refuseService(ctx: Context, project: ProjectWithRole, service: (typeof services)[number]): void {
  const isPush = service === 'git-receive-pack'
  const scopes: readonly TokenScope[] = ['api', ...(isPush ? pushScopes : fetchScopes)]
  if (!hasScope(ctx.actor, scopes)) throw insufficientScope(scopes.join(' '))
  if (!isPush || allows(ctx.actor, 'push_code', projectSubject(project)) === 'yes') return
  if (!ctx.actor.user) throw unauthenticated()
  const line = project.archived
    ? 'The project is archived: nothing can be pushed to it.'
    : 'You are not allowed to push code to this project.'
  throw new Refusal('forbidden', { message: line })
}

export const advertiseReferences = endpoint({
  route: 'GET /:repository_path/info/refs',
  summary: 'Tell a git client the references of a repository',
  dialect: git,
  scope: inGitRepository,
  can: 'read_code',
  scopes: fetchScopes,
  params: { service: OneOf(services, { description: 'What the client is about to do', examples: ['git-upload-pack'] }) },
  answers: bytes('application/x-git-upload-pack-advertisement'),
  run: async ctx => {
    const { project, params } = ctx
    refuseService(ctx, project, params.service)
    const repository = await ensureRepository(ctx.deps.storages, project)
    return {
      body: Readable.from(advertiseRefs(repository, params.service, { protocol: protocolOf(ctx), framing: 'http' })),
      headers: { 'content-type': `application/x-${params.service}-advertisement` },
    }
  },
})

export const uploadPackEndpoint = endpoint({
  route: 'POST /:repository_path/git-upload-pack',
  summary: 'Serve a fetch or clone',
  dialect: git,
  scope: inGitRepository,
  can: 'read_code',
  scopes: fetchScopes,
  rawBody: true,
  writes: 'own',
  answers: bytes('application/x-git-upload-pack-result', 200),
  run: async ctx => ({ body: await serveFetch(ctx, ctx.project, ctx.body) }),
})

export const receivePackEndpoint = endpoint({
  route: 'POST /:repository_path/git-receive-pack',
  summary: 'Receive a push',
  dialect: git,
  scope: inGitRepository,
  can: 'push_code',
  scopes: pushScopes,
  rawBody: true,
  writes: 'own',
  answers: bytes('application/x-git-receive-pack-result', 200),
  run: async ctx => ({ body: await servePush(ctx, ctx.project, ctx.body) }),
})
