/** Tokens for the registry (token authentication of registries; `/jwt/auth` at 14.0). */
import { git } from '../../../code/git_http/dialect.ts'
import { basicCredentials } from '../../../code/git_http/tokens.ts'
import { isAdmin, isAnonymous, type RegistryAccess } from '../../../platform/access/actor.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type Dialect, statusIn } from '../../../platform/kernel/declaration/dialect.ts'
import { bytes, endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { forbidden, notFound, type Refusal, sentenceOf } from '../../../platform/kernel/errors.ts'
import { bearerToken } from '../../../platform/kernel/request/authenticate.ts'
import { imageAllows } from '../../registry_protection/rights.ts'
import { holderOf, subjectOf } from '../../signed_tokens/holders.ts'
import { errorsBody, refusalBody } from '../distribution/dialect.ts'
import { codeOf } from '../distribution/refusals.ts'
import { findImage } from '../distribution/scope.ts'
import { proxyPartsOf } from '../names.ts'
import { mayPullThrough } from '../proxy/scope.ts'
import { mayUseImages, pullScopes, type RegistryAction, registryActions } from './rights.ts'
import { PROXY_SERVICE, SERVICE, signRegistryToken } from './tokens.ts'

const tokens: Dialect = {
  ...git,
  name: 'registry_tokens',
  mediaType: 'application/json',
  refusalBody,
  refuse: (refusal, request, deps) => ({
    ...git.refuse(refusal, request, deps),
    status: statusIn(tokens, refusal.kind),
    mediaType: 'application/json',
    body: errorsBody(codeOf(refusal), refusal.kind === 'unauthenticated' ? 'HTTP Basic: Access denied' : sentenceOf(refusal)),
  }),
}

/** Images that one token may be for. */
const MOST_SCOPES = 100

/** What a client asks for: `repository:group/project:pull,push`, several with spaces between or as parameters of the same name. */
function askedFor({ request }: Pick<Context, 'request'>): readonly string[] {
  const query = new URLSearchParams(request.address.split('?')[1] ?? '')
  return [
    ...new Set(
      query
        .getAll('scope')
        .flatMap(scope => scope.split(' '))
        .filter(scope => scope !== ''),
    ),
  ].slice(0, MOST_SCOPES)
}

/** What the caller gets of a scope; undefined for nothing. */
async function grantOf(ctx: Context, scope: string): Promise<RegistryAccess | undefined> {
  const [, type, name = '', actions = ''] = /^([a-z]+)(?:\([^)]*\))?:(\S+):([a-z,*]+)$/.exec(scope) ?? []
  if (type === 'registry') return name === 'catalog' && actions === '*' && isAdmin(ctx.actor) ? { type, name, actions: ['*'] } : undefined
  if (type !== 'repository') return undefined
  const asked = actions.split(',')
  const isAsked = (action: RegistryAction) => asked.includes(action) || asked.includes('*')
  if (proxyPartsOf(name)) return isAsked('pull') && (await mayPullThrough(ctx, name)) ? { type, name, actions: ['pull'] } : undefined
  const found = await findImage(ctx, name).catch((error: Refusal) => {
    if (error.kind === 'not_found') return undefined
    throw error
  })
  if (!found) return undefined
  const possible = registryActions.filter(action => isAsked(action) && mayUseImages(ctx.actor, found.project, action))
  // The registry asks the rules again: they may change while the token holds.
  const granted: RegistryAction[] = []
  for (const action of possible)
    if (action === 'pull' || (await imageAllows(ctx, found.project.id, found.name, action))) granted.push(action)
  return granted.length === 0 ? undefined : { type, name, actions: granted }
}

const secretOf = ({ request: { headers } }: Pick<Context, 'request'>): string | undefined =>
  basicCredentials(headers.authorization)?.password ?? bearerToken(headers)

export const getRegistryToken = endpoint({
  route: 'GET /jwt/auth',
  summary: 'Get a short-lived token for the container registry',
  dialect: tokens,
  scope: inInstance,
  can: 'read_instance',
  scopes: pullScopes,
  jobToken: true,
  params: {
    service: text('The service that the token is for, `container_registry`, or `dependency_proxy` for pulling through all groups', {
      examples: [SERVICE],
    }),
    scope: optional(
      text('What it is for, as `repository:group/project:pull,push`; several with spaces between, or several parameters of this name'),
    ),
    account: optional(text('Name of the account, as the client knows it')),
    client_id: optional(text('What the client calls itself')),
    offline_token: optional(text('Taken, and without effect: there are no refresh tokens')),
  },
  answers: bytes('application/json'),
  errors: ['not_found'],
  async run(ctx) {
    const { actor, params, deps, now, url } = ctx
    const isProxy = params.service === PROXY_SERVICE && deps.config.dependencyProxyUrl !== undefined
    if (params.service !== SERVICE && !isProxy) throw notFound()
    const scopes = isProxy ? [] : askedFor(ctx)
    // Contract: who shows nothing and asks for nothing gets no token (`/jwt/auth` at 14.0).
    if (isAnonymous(actor) && scopes.length === 0) throw forbidden('access forbidden')
    const access: RegistryAccess[] = isProxy ? [{ type: 'dependency_proxy', name: '*', actions: ['pull'] }] : []
    for (const scope of scopes) {
      const grant = await grantOf(ctx, scope)
      if (grant) access.push(grant)
    }
    const lifetime = (await applicationSettings(deps.database.db)).container_registry_token_expire_delay * 60
    const grant = { holder: holderOf(actor, secretOf(ctx)), access }
    const token = signRegistryToken(deps.secrets, grant, { issuer: url, subject: subjectOf(actor), now, lifetime })
    const issued_at = `${now.toISOString().slice(0, 19)}Z`
    return {
      body: JSON.stringify({ token, access_token: token, expires_in: lifetime, issued_at }),
      headers: { 'cache-control': 'no-store' },
    }
  },
})
