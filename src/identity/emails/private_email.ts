/**
 * The address of a user for commits that takes no mail: `7-ida@users.noreply.example.com`. The id says whose it is, so that commits stay a user's
 * under a former username too. The domain is a setting of the instance; no account has another address in it.
 */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { SummaryRow } from '../users/queries.ts'

/** In place of an address as `commit_email` of a user: the private one. Public behaviour: clients send this value. */
export const PRIVATE = '_private'

/** The addresses of a user that the one of their commits depends on. */
interface Addresses {
  readonly email: string
  readonly commit_email: string | null
  readonly private_email: string
}

/** The address that is written into a user's commits. */
export const commitEmailOf = ({ email, commit_email, private_email }: Addresses): string =>
  commit_email === PRIVATE ? private_email : (commit_email ?? email)

/** `commit_email` as it is stored: none where it is empty, and the user's private address under its name. */
export function storedCommitEmail(given: string | null | undefined, privateEmail: string): string | null | undefined {
  if (given === '') return null
  return given?.toLowerCase() === privateEmail.toLowerCase() ? PRIVATE : given
}

const FORM = /^([1-9]\d{0,14})-[^@]+@([^@]+)$/

/** Has this address the form of private ones, whether or not there is such a user? No account has such an address as one of its own. */
export async function isPrivateEmail(db: Db, address: string): Promise<boolean> {
  const domain = FORM.exec(address.toLowerCase())?.[2]
  if (domain === undefined) return false
  const row = await db
    .selectFrom('application_settings')
    .select('id')
    .where(sql`lower(commit_email_hostname)`, '=', domain)
    .executeTakeFirst()
  return row !== undefined
}

/** The users whose private addresses are among these, by address in small letters. One statement, or none where no address has the form. */
export async function usersByPrivateEmail(db: Db, addresses: readonly string[]): Promise<ReadonlyMap<string, SummaryRow>> {
  const claimed = [...new Set(addresses.map(address => address.toLowerCase()))].flatMap(address => {
    const [, id, domain] = FORM.exec(address) ?? []
    return id === undefined || domain === undefined ? [] : [{ address, id, domain }]
  })
  if (claimed.length === 0) return new Map()
  const { rows } = await sql<SummaryRow & { address: string }>`
    select claimed.address, users.id, users.name, users.username, users.state, users.avatar_url
      from unnest(${claimed.map(({ address }) => address)}::text[], ${claimed.map(({ id }) => id)}::bigint[],
                  ${claimed.map(({ domain }) => domain)}::text[]) as claimed(address, id, domain)
      join users on users.id = claimed.id
      join application_settings on lower(application_settings.commit_email_hostname) = claimed.domain`.execute(db)
  return new Map(rows.map(({ address, ...user }) => [address, user]))
}
