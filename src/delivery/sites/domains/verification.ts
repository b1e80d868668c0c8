/** Verification of domains: a TXT record of the domain has the code of the project. */
import { Resolver } from 'node:dns/promises'
import { transact } from '../../../platform/db/transact.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { enqueueJobs } from '../../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { lookingAt, removeDomain } from './commands.ts'
import { domainById, type SiteDomainRow } from './queries.ts'

const DAY = 24 * 60 * 60 * 1000

/** A domain leads to its site for so long after each proof; it is looked up again in the last days (public behaviour of the platform). */
const ENABLED = 7 * DAY
const AGAIN = 3 * DAY

/** One that leads nowhere and is not verified for so long is removed, so that nobody keeps the name from those who own it. */
const REMOVED = 7 * DAY

/** Domains that are queued at a time. */
const BATCH = 1_000

/** Milliseconds for an answer of a name server, and how often it is asked. */
const LOOKUP = { timeout: 3_000, tries: 2 }

/** The name whose record counts, besides the domain itself. Contract: public documentation of Pages. */
export const recordName = (domain: string): string => `_gitlab-pages-verification-code.${domain}`

/** The text that the record must have. */
export const recordText = ({ verification_code }: Pick<SiteDomainRow, 'verification_code'>): string =>
  `gitlab-pages-verification-code=${verification_code}`

/** Errors of name servers that are an answer: there is no such record. */
const NONE: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND', 'ENONAME'])

/** Does a TXT record prove the domain? `unknown`: no name server answered. */
async function proofOf({ config }: Deps, row: SiteDomainRow): Promise<'proven' | 'missing' | 'unknown'> {
  const resolver = new Resolver(LOOKUP)
  if (config.pagesNameServers.length > 0) resolver.setServers(config.pagesNameServers)
  let isKnown = true
  for (const name of [recordName(row.domain), row.domain]) {
    const records = await resolver.resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
      if (!NONE.has(error.code ?? '')) isKnown = false
      return []
    })
    if (records.some(parts => parts.join('').split(/\s+/).includes(recordText(row)))) return 'proven'
  }
  return isKnown ? 'missing' : 'unknown'
}

/**
 * Looks at the records of a domain, and writes what they prove. Where no name server answers, everything stays as it is.
 * @param ctx outside of a transaction: name servers may take their time
 */
export async function lookAt(ctx: Context, { id }: Pick<SiteDomainRow, 'id'>): Promise<SiteDomainRow | undefined> {
  const { deps, now } = ctx
  const row = await domainById(deps.database.db, id)
  if (!row) return undefined
  const proof = await proofOf(deps, row)
  return transact(deps.database.db, async db => {
    const present = await db.selectFrom('site_domains').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!present) return undefined
    const isEnabled = present.enabled_until !== null && new Date(present.enabled_until) > now
    const changes = {
      proven: { verified_at: now, enabled_until: new Date(now.getTime() + ENABLED), remove_at: null },
      missing: { verified_at: null, ...(!isEnabled && { remove_at: present.remove_at ?? new Date(now.getTime() + REMOVED) }) },
      unknown: {},
    }[proof]
    if (proof === 'proven' && present.verified_at === null)
      await recordEvent(
        { ...ctx, db },
        { kind: 'site_domain.verified', payload: { id, name: present.domain }, projectId: present.project_id },
      )
    return db
      .updateTable('site_domains')
      .set({ ...changes, checked_at: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
  })
}

/** The task: looks at the records of one domain. */
export async function verifyDomain(deps: Deps, { domain_id }: { readonly domain_id: number }): Promise<void> {
  await lookAt(systemContext(deps, deps.database.db), { id: domain_id })
}

/** Queues the domains that are not verified, or not for much longer, and removes those whose time is over. */
export async function verifyDomains(deps: Deps, signal?: AbortSignal): Promise<void> {
  const { db } = deps.database
  const now = deps.now()
  const { pages_domain_verification_enabled: isOn } = await db
    .selectFrom('application_settings')
    .select('pages_domain_verification_enabled')
    .executeTakeFirstOrThrow()
  if (!isOn) {
    // The time of a domain begins when domains are verified: those that lead to their sites without are not removed all together then.
    await db.updateTable('site_domains').set({ remove_at: null }).where('remove_at', 'is not', null).execute()
    return
  }
  const over = await db.selectFrom('site_domains').select('id').where('remove_at', '<=', now.toISOString()).limit(BATCH).execute()
  for (const { id } of over) await transact(db, tx => removeOver(systemContext(deps, tx), id))
  const due = new Date(now.getTime() + AGAIN)
  for (let last = 0; !signal?.aborted; ) {
    const rows = await db
      .selectFrom('site_domains')
      .select('id')
      .where('id', '>', last)
      .where(({ or, eb }) =>
        or([eb('verified_at', 'is', null), eb('enabled_until', 'is', null), eb('enabled_until', '<', due.toISOString())]),
      )
      .orderBy('id')
      .limit(BATCH)
      .execute()
    await enqueueJobs(
      db,
      rows.map(({ id }) => lookingAt(id)),
    )
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Removes a domain whose time is over, unless it was verified meanwhile. */
async function removeOver(ctx: Context, id: number): Promise<void> {
  const row = await ctx.db.selectFrom('site_domains').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row?.remove_at && new Date(row.remove_at) <= ctx.now) await removeDomain(ctx, row)
}
