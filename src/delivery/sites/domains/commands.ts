/** Writes of the domains of sites. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Db } from '../../../platform/db/connection.ts'
import { uniqueViolation } from '../../../platform/db/errors.ts'
import { changesBetween, isChanged } from '../../../platform/events/audit/changes.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { enqueueJobs } from '../../../platform/events/worker.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { Upload } from '../../../platform/kernel/declaration/types.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import type { Secret } from '../../../platform/secret.ts'
import { faultsOf, givenKey } from './certificate.ts'
import { faultOfName } from './names.ts'
import type { SiteDomainRow } from './queries.ts'

/** Binds the ciphertext of a key to its column. */
export const KEY_PURPOSE = 'site_domains.private_key'

/** Domains of a project: each costs lookups in the background. */
const MOST = 100

/** What a client gives of a domain; certificate and key in PEM, as text or as a file. */
export interface DomainAttributes {
  readonly certificate?: string | Upload | null | undefined
  readonly key?: string | Upload | null | undefined
  readonly auto_ssl_enabled?: boolean | undefined
}

/** Bytes of a file that are read: more can be no certificate. */
const MOST_BYTES = 128 * 1024

async function textOf(given: string | Upload | null | undefined, name: string): Promise<string | undefined> {
  if (given === undefined) return undefined
  if (!(given instanceof Upload)) return given ?? ''
  if (given.size > MOST_BYTES) throw invalid({ [name]: ['is too long'] })
  return readFile(given.file, 'utf8')
}

interface GivenPair {
  /** Null: none any more; undefined: as it is. */
  readonly certificate: string | null | undefined
  readonly key: Secret | null | undefined
}

async function pairOf({ certificate, key }: DomainAttributes): Promise<GivenPair> {
  const [pem, keyPem] = [await textOf(certificate, 'certificate'), await textOf(key, 'key')]
  return {
    certificate: pem === undefined ? undefined : pem.trim() === '' ? null : pem,
    key: keyPem === undefined ? undefined : givenKey(keyPem),
  }
}

/**
 * Contract: a certificate with an empty key keeps the key that there is, for a new one may have the same (Pages domains API). One that is taken away
 * takes its key along.
 */
function withKeyOf({ certificate, key }: GivenPair): GivenPair {
  if (certificate === null) return { certificate, key: null }
  return { certificate, key: typeof certificate === 'string' && key === null ? undefined : key }
}

/** 400 where a certificate and its key do not go together. */
function assertPair(certificate: string | null, key: Secret | null): void {
  const faults = faultsOf(certificate, key)
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

/** 400 for one too many. Of requests at the same time the later ones wait, and count the others. */
async function assertRoom(db: Db, projectId: number): Promise<void> {
  await db.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
  const { count } = await db
    .selectFrom('site_domains')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST) throw invalid({ base: [`Maximum number of domains (${MOST}) exceeded`] })
}

/** The look at the records of a domain. Two run at a time: name servers that do not answer must not keep all workers waiting. */
export const lookingAt = (id: number) => ({
  task: 'verify_site_domain' as const,
  payload: { domain_id: id },
  options: { jobKey: `verify_site_domain:${id}`, queueName: `site_domains:${id % 2}`, maxAttempts: 3 },
})

/** Adds a domain to a project. 400 for a name that is taken or cannot be one, and for a certificate that does not fit. */
export async function addDomain(
  ctx: Context,
  projectId: number,
  { domain: given, auto_ssl_enabled = false, ...pair }: DomainAttributes & { readonly domain: string },
): Promise<SiteDomainRow> {
  const { db, deps, now } = ctx
  const domain = given.toLowerCase()
  const fault = faultOfName(domain, deps.config)
  if (fault !== undefined) throw invalid({ domain: [fault] })
  const { certificate = null, key = null } = await pairOf(pair)
  assertPair(certificate, key)
  await assertRoom(db, projectId)
  const row = await db
    .insertInto('site_domains')
    .values({
      project_id: projectId,
      domain,
      certificate,
      private_key: key && deps.secrets.encrypt(key, KEY_PURPOSE),
      auto_ssl_enabled,
      // Contract: 32 hexadecimal digits. New for each domain, so that what proved it for another project proves nothing here.
      verification_code: randomBytes(16).toString('hex'),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : invalid({ domain: ['has already been taken'] })
    })
  await recordEvent(ctx, { kind: 'site_domain.created', payload: { id: row.id, name: domain }, projectId })
  await enqueueJobs(db, [lookingAt(row.id)])
  return row
}

/** Changes the certificate of a domain; what is not given stays as it is. */
export async function changeDomain(
  ctx: Context,
  { id }: SiteDomainRow,
  { auto_ssl_enabled, ...given }: DomainAttributes,
): Promise<SiteDomainRow> {
  const { db, deps, now } = ctx
  const pair = withKeyOf(await pairOf(given))
  // Read again under its lock: the key is checked with the certificate as it is now.
  const present = await db.selectFrom('site_domains').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  const certificate = pair.certificate === undefined ? present.certificate : pair.certificate
  const storedKey = () => present.private_key && deps.secrets.decrypt(present.private_key, KEY_PURPOSE)
  const isChangedPair = pair.certificate !== undefined || pair.key !== undefined
  if (isChangedPair) assertPair(certificate, pair.key === undefined ? storedKey() || null : pair.key)
  const changes = {
    ...(auto_ssl_enabled !== undefined && { auto_ssl_enabled }),
    ...(pair.certificate !== undefined && { certificate: pair.certificate }),
    ...(pair.key !== undefined && { private_key: pair.key && deps.secrets.encrypt(pair.key, KEY_PURPOSE) }),
  }
  const changed = await db
    .updateTable('site_domains')
    .set({ ...changes, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const recorded = changesBetween(present, changes, ['auto_ssl_enabled', 'certificate', 'private_key'])
  if (isChanged(recorded))
    await recordEvent(ctx, {
      kind: 'site_domain.updated',
      payload: { id, name: present.domain, changes: recorded },
      projectId: present.project_id,
    })
  return changed
}

/** Removes a domain from its project. */
export async function removeDomain(ctx: Context, { id, domain, project_id }: SiteDomainRow): Promise<void> {
  const gone = await ctx.db.deleteFrom('site_domains').where('id', '=', id).returning('id').executeTakeFirst()
  if (gone) await recordEvent(ctx, { kind: 'site_domain.deleted', payload: { id, name: domain }, projectId: project_id })
}
