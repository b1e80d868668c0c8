/** The dialect of the OCI distribution specification: names of several segments, tokens of the registry, and refusals with its codes. */
import Type from 'typebox'
import { git } from '../../../code/git_http/dialect.ts'
import { isAnonymous } from '../../../platform/access/actor.ts'
import { addressOf } from '../../../platform/kernel/addresses/address.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { type Dialect, type ErrorAnswer, statusIn } from '../../../platform/kernel/declaration/dialect.ts'
import { described, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { type Refusal, sentenceOf } from '../../../platform/kernel/errors.ts'
import { bearerToken } from '../../../platform/kernel/request/authenticate.ts'
import { looksSigned } from '../../signed_tokens/sign.ts'
import type { RegistryAction } from '../authentication/rights.ts'
import { actorOfRegistryToken, SERVICE } from '../authentication/tokens.ts'
import { isImageName, proxiedName, proxyPartsOf } from '../names.ts'
import { codeOf, type RegistryRefusal } from './refusals.ts'

const PREFIX = '/v2'

const kinds: readonly string[] = ['manifests', 'blobs', 'tags', 'referrers']

/** Segments without the empty ones at their begin and end, which more slashes than one make. */
function trimmed(segments: readonly string[]): string[] {
  const first = segments.findIndex(segment => segment !== '')
  return first < 0 ? [] : segments.slice(first, segments.findLastIndex(segment => segment !== '') + 1)
}

/** The parts of an address below `/v2/`: the name of an image, what of it, and which. In one pass, since it is done to every address of the server. */
function partsOf(given: string) {
  if (!given.startsWith(`${PREFIX}/`)) return undefined
  const mark = given.indexOf('?')
  const [path, query] = mark < 0 ? [given, ''] : [given.slice(0, mark), given.slice(mark)]
  const segments = path.slice(PREFIX.length).split('/')
  const begin = segments.findIndex(segment => segment !== '')
  const at = begin < 0 ? -1 : segments.findIndex((segment, index) => index > begin && kinds.includes(segment))
  const kind = segments[at]
  if (kind === undefined || at === segments.length - 1) return undefined
  const name = trimmed(segments.slice(begin, at)).join('/').replace(/%2f/gi, '/')
  return { name, kind, rest: trimmed(segments.slice(at + 1)).join('/'), query }
}

/**
 * `/v2/group/project/manifests/latest` as `/v2/group%2Fproject/manifests/latest`, and names of images that are pulled through a group in their two
 * parts; undefined for every other address.
 */
export function encodeImageName(given: string): string | undefined {
  const parts = partsOf(given)
  if (!parts) return undefined
  const { name, kind, rest, query } = parts
  const segment = (path: string) => path.split('/').join('%2F')
  const proxied = proxyPartsOf(name)
  const encoded = proxied ? proxiedName(segment(proxied.group), segment(proxied.image)) : segment(name)
  return `${PREFIX}/${encoded}/${kind}/${rest}${query}`
}

/** What a request would do with the images of a repository. Only its path says so: a query says what it likes. */
export function actionOf({ method, address: given }: { readonly method: string; readonly address: string }): RegistryAction {
  const { kind, rest = '' } = partsOf(given) ?? {}
  const isUpload = kind === 'blobs' && /^uploads(?:\/|$)/.test(rest)
  if (method === 'GET' || method === 'HEAD') return isUpload ? 'push' : 'pull'
  // An upload that is cancelled was none yet.
  return method === 'DELETE' && !isUpload ? 'delete' : 'push'
}

const wantedScope: Readonly<Record<RegistryAction, string>> = { pull: 'pull', push: 'pull,push', delete: 'delete' }

/** What a token would have to grant for a request, as clients ask for it; undefined for the registry itself. */
function scopeOf(method: string, given: string): string | undefined {
  if (/^\/v2\/_catalog/.test(given)) return 'registry:catalog:*'
  const parts = partsOf(given)
  if (!parts) return undefined
  const from = new URLSearchParams(parts.query).get('from')
  // A blob is mounted from an image that the same token lets one pull.
  const source = from !== null && isImageName(from) ? ` repository:${from}:pull` : ''
  return `repository:${parts.name}:${wantedScope[actionOf({ method, address: given })]}${source}`
}

/** Body of a refusal: a list of one. */
export const errorsBody = (code: string, message: string, detail?: object): string =>
  JSON.stringify({ errors: [{ code, message, ...(detail && { detail }) }] })

/** Body of a refusal, for the API description. */
export const refusalBody = Type.Object({
  errors: described(
    'What is wrong',
    Type.Array(
      Type.Object({
        code: text('Code of the specification'),
        message: text('The same for a person'),
        detail: optional(described('What it is about', Type.Record(Type.String(), Type.Unknown()))),
      }),
    ),
  ),
})

const json = (status: number, body: string, headers: Record<string, string> = {}): ErrorAnswer => ({
  status,
  mediaType: 'application/json',
  body,
  headers,
})

const quoted = (value: string): string => `"${value.replace(/["\\]/g, '')}"`

export const registry: Dialect = {
  ...git,
  name: 'container_registry',
  prefix: PREFIX,
  mediaType: 'application/json',
  headers: { 'docker-distribution-api-version': 'registry/2.0', 'cache-control': 'no-cache, max-age=0, must-revalidate' },
  credentials: ['basic', 'bearer'],
  rewrite: encodeImageName,
  refusalBody,
  async authenticate(request, deps) {
    const token = bearerToken(request.headers)
    return token !== undefined && looksSigned(token) ? actorOfRegistryToken(token, deps) : git.authenticate(request, deps)
  },
  refuse(refusal, request, deps) {
    const { kind, headers } = refusal
    const challenge = kind === 'unauthenticated' ? challengeFor(refusal, request as never, deps) : {}
    const body = kind === 'not_modified' ? undefined : errorsBody(codeOf(refusal), messageOf(refusal), (refusal as RegistryRefusal).detail)
    return { ...json(statusIn(registry, kind), body ?? '', { ...headers, ...challenge }), body }
  },
  fail: (requestId, status) => json(status, errorsBody('UNKNOWN', `The server failed. Request ${requestId}`)),
}

const messageOf = (refusal: Refusal): string => (refusal.kind === 'unauthenticated' ? 'authentication required' : sentenceOf(refusal))

/** Where to get a token, and for what. */
function challengeFor(_refusal: Refusal, request: Parameters<Dialect['refuse']>[1], deps: Deps): Record<string, string> {
  const scope = scopeOf(request.method, request.originalUrl)
  const isShort = request.actor?.registry !== undefined || (request.actor && !isAnonymous(request.actor))
  const parts = [
    ['realm', `${addressOf(request, deps)}/jwt/auth`],
    ['service', SERVICE],
    ...(scope === undefined ? [] : [['scope', scope]]),
    ...(isShort ? [['error', 'insufficient_scope']] : []),
  ] as const
  return { 'www-authenticate': `Bearer ${parts.map(([name, value]) => `${name}=${quoted(value as string)}`).join(',')}` }
}
