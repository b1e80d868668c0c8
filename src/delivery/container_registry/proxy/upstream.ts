/** The registry that images are pulled from (OCI distribution specification 1.1; token authentication of registries). */
import { parseJson } from '../../../platform/bounded_json.ts'
import { destinationOf, OutboundRefused } from '../../../platform/outbound/addresses.ts'
import { OutboundFailed } from '../../../platform/outbound/exchange.ts'
import { get } from '../../../platform/outbound/get.ts'
import { type Download, download } from '../../../platform/outbound/transfer.ts'

/** Where the registry is, and what may be reached although it is not public. */
export interface Upstream {
  readonly url: string
  readonly outboundAllow: readonly string[]
}

/** What is asked for of an image. */
export interface Wanted {
  readonly method: 'GET' | 'HEAD'
  readonly image: string
  /** Below the image: `manifests/latest`. */
  readonly path: string
  readonly accept?: string
}

/** Redirects that are followed: registries send clients to where the bytes of a blob are. */
const MOST_REDIRECTS = 5
/** Milliseconds until a registry that does not answer is given up. */
const PATIENCE = 15_000
/** Bytes of an answer with a token. */
const TOKEN_LIMIT = 64 * 1024

/** Kinds of manifests that are asked for. */
export const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
] as const

/** The answer of the registry, of any status. Its connection must be closed. @throws OutboundFailed, OutboundRefused */
export async function ask(upstream: Upstream, wanted: Wanted): Promise<Download> {
  const url = new URL(`${upstream.url}/v2/${wanted.image}/${wanted.path}`)
  const first = await follow(upstream, url, wanted, undefined)
  if (first.status !== 401) return first
  first.close()
  const token = await tokenFor(upstream, wanted.image, first.headers['www-authenticate'])
  return token === undefined ? first : follow(upstream, url, wanted, token)
}

async function follow(upstream: Upstream, from: URL, { method, accept }: Wanted, token: string | undefined): Promise<Download> {
  let url = from
  for (let left = MOST_REDIRECTS; ; left--) {
    const headers = {
      ...(accept !== undefined && { accept }),
      // It is for the registry alone, not for where that sends us.
      ...(token !== undefined && url.origin === from.origin && { authorization: `Bearer ${token}` }),
    }
    const answer = await download(url, await destination(upstream, url), { method, headers, patience: PATIENCE }, { atLeisure: true })
    const { location } = answer.headers
    if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer
    answer.close()
    const next = URL.parse(location, url)
    if (left === 0 || !next || !/^https?:$/.test(next.protocol)) throw new OutboundFailed('The registry redirects to nowhere')
    url = next
  }
}

/** The registry itself is where the administrator says, which may be in the own network; nothing else on that machine is. */
const destination = ({ url, outboundAllow }: Upstream, wanted: URL) => {
  const home = new URL(url)
  const host = home.hostname.replace(/^\[|\]$/g, '')
  return destinationOf(wanted, wanted.origin === home.origin ? [...outboundAllow, host] : outboundAllow)
}

/** A token for pulling an image, as the registry says where to get it; undefined where it says nothing that fits. */
async function tokenFor(upstream: Upstream, image: string, challenge = ''): Promise<string | undefined> {
  const parts = Object.fromEntries([...challenge.slice(0, 4_000).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  const realm = /^bearer /i.test(challenge) ? URL.parse(parts.realm ?? '') : null
  if (!realm || !/^https?:$/.test(realm.protocol)) return undefined
  realm.searchParams.set('scope', `repository:${image}:pull`)
  if (parts.service !== undefined) realm.searchParams.set('service', parts.service)
  const { status, body } = await get(realm, await destination(upstream, realm), { timeout: PATIENCE, limit: TOKEN_LIMIT })
  if (status !== 200) return undefined
  try {
    const { token, access_token } = parseJson(body) as Record<string, unknown>
    const given = token ?? access_token
    return typeof given === 'string' && /^[\x21-\x7e]+$/.test(given) ? given : undefined
  } catch {
    return undefined
  }
}

/** Did the registry not answer, or may it not be reached? */
export const isUnreachable = (error: unknown): boolean => error instanceof OutboundFailed || error instanceof OutboundRefused
