/** Clients: the applications that request tokens, and their authentication (RFC 6749 section 2.3). */
import { type ApplicationScope, tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { type ApplicationRow, applicationByUid } from '../applications/queries.ts'
import { oauthRefusal } from './dialect.ts'

/** The grant of devices without a browser (RFC 8628). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The supported grant types. */
export const grantTypes = ['authorization_code', 'refresh_token', 'password', 'client_credentials', DEVICE_GRANT] as const
export type GrantType = (typeof grantTypes)[number]

/** The facts of a client that the grants need. */
export interface Client {
  /** Null for the unregistered client: users who request a token with their own password. */
  readonly application: ApplicationRow | null
  readonly grants: readonly GrantType[]
  readonly scopes: readonly ApplicationScope[]
}

/** An application as a client. A public one has no grant of its own, because it cannot authenticate. */
export const clientOf = (application: ApplicationRow): Client => ({
  application,
  grants: application.confidential ? grantTypes : grantTypes.filter(grant => grant !== 'client_credentials'),
  scopes: application.scopes as ApplicationScope[],
})

/** Only authenticated clients may get the scope `sudo`; a password alone never gives it. */
const withoutSudo = tokenScopes.filter(scope => scope !== 'sudo')

const noClient: Client = { application: null, grants: ['password', 'refresh_token'], scopes: withoutSudo }

/** The client credentials in the body. */
export interface ClientParams {
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
}

/** The client of a token request; the password grant and its refreshes need none (document 1 leaves OAuth to public behaviour). */
export async function clientOfRequest(ctx: Context, params: ClientParams & { grant_type: string }): Promise<Client> {
  const application = await authenticateClient(ctx, params)
  if (application) {
    const client = clientOf(application)
    const isUnproven = params.grant_type === 'password' && !application.confidential
    return isUnproven ? { ...client, scopes: client.scopes.filter(scope => scope !== 'sudo') } : client
  }
  if (params.grant_type === 'password' || params.grant_type === 'refresh_token') return noClient
  throw invalidClient(ctx)
}

/**
 * The application that the request identifies, by Basic authentication or in the body; undefined if there is none. A confidential one must
 * send its secret, which must not have expired; for a public one the id is enough.
 * @throws Refusal 401 `invalid_client`
 */
export async function authenticateClient(ctx: Context, params: ClientParams): Promise<ApplicationRow | undefined> {
  const { id, secret } = basicCredentials(ctx) ?? { id: params.client_id, secret: params.client_secret }
  if (!id) return undefined
  // PostgreSQL text cannot contain NUL; the kernel refuses it in parameters, but not in this header.
  const application = id.includes('\0') ? undefined : await applicationByUid(ctx.db, id)
  const proven = application && (secret ? isSecretOf(application, secret, ctx.now) : !application.confidential)
  if (!proven) throw invalidClient(ctx)
  return application
}

function isSecretOf({ secret_digest, secret_expires_at }: ApplicationRow, secret: string, now: Date): boolean {
  const isInForce = secret_expires_at === null || Date.parse(secret_expires_at) > now.getTime()
  return isInForce && digestOf(secret) === secret_digest
}

/** 401 for a client that is unknown or has sent a wrong secret. */
export function invalidClient({ request }: Context) {
  const challenge: Record<string, string> = request.headers.authorization ? { 'www-authenticate': 'Basic realm="Ingot"' } : {}
  return oauthRefusal('unauthenticated', 'invalid_client', 'The client is unknown or did not prove who it is', challenge)
}

/** `Authorization: Basic`, whose two halves are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function basicCredentials(ctx: Context): { id: string; secret: string } | undefined {
  const encoded = /^basic\s+(\S+)$/i.exec(ctx.request.headers.authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1) throw invalidClient(ctx)
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) }
}

const formDecoded = (text: string): string => new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
